"""What a person touches: the command line, the pages in the browser, the settings."""
