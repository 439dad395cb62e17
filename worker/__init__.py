"""The clerk: journal, queues, intake and sending of mails, and the hexpost command."""
