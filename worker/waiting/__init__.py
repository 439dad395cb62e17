"""Who is waited for and until when: terms, deadlines, reminders, leave, halts and who does not write."""
