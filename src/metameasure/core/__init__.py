"""What every room uses: messages, errors, numbers as they are written, options, signatures, the declared classes."""
