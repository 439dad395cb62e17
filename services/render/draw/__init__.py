"""Drawing tools: ink and stencils, palettes, lettering, the hex lattice, and room on a picture."""
