package dev.stowage.trace.format;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An address of 64 bits in the recorded program. */
record Address(long value) {

  private static final Pattern HEXADECIMAL = Pattern.compile("(?:0[xX])?([0-9a-fA-F]{1,16})");
  private static final String NULL = "(nil)";

  /** {@return the address that a text has in hexadecimal digits, or empty if it has none} */
  static Optional<Address> of(String text) {
    if (text.equals(NULL)) {
      return Optional.of(new Address(0));
    }
    Matcher matcher = HEXADECIMAL.matcher(text);
    return matcher.matches()
        ? Optional.of(new Address(Long.parseUnsignedLong(matcher.group(1), 16)))
        : Optional.empty();
  }

  boolean isNull() {
    return value == 0;
  }

  @Override
  public String toString() {
    return "0x" + Long.toHexString(value);
  }
}
