package dev.stowage.fleet.result;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One of several parts of a sweep. The key of an item decides to which one it belongs.
 *
 * @param index the number of the part, from 1
 * @param count the number of parts
 */
public record Shard(int index, int count) {

  /** The only part of a sweep that is not divided. */
  public static final Shard ALL = new Shard(1, 1);

  private static final Pattern TEXT = Pattern.compile("([0-9]{1,6})/([0-9]{1,6})");

  /**
   * {@return the part of a text such as {@code 1/4}; empty if it is none}
   *
   * @param text the text
   */
  public static Optional<Shard> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    Shard shard = new Shard(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    boolean isValid = 1 <= shard.index && shard.index <= shard.count;
    return isValid ? Optional.of(shard) : Optional.empty();
  }

  /**
   * {@return true if an item belongs to this part}
   *
   * @param key the key of the item
   */
  public boolean contains(String key) {
    if (count == 1) {
      return true;
    }
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
      return new BigInteger(1, hash).mod(BigInteger.valueOf(count)).intValue() == index - 1;
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }

  /** {@return the part as text, such as {@code 1/4}} */
  @Override
  public String toString() {
    return index + "/" + count;
  }
}
