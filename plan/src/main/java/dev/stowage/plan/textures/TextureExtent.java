package dev.stowage.plan.textures;

import dev.stowage.plan.text.Message;
import java.util.OptionalLong;

/**
 * The size of a texture in texels.
 *
 * @param width the width
 * @param height the height
 * @param depth the number of layers; empty for a two-dimensional texture
 */
public record TextureExtent(long width, long height, OptionalLong depth) {

  /**
   * Creates an extent of two or three dimensions.
   *
   * @throws IllegalArgumentException if a dimension is negative or the volume exceeds {@link
   *     Long#MAX_VALUE}
   */
  public TextureExtent {
    if (width < 0 || height < 0 || depth.orElse(0) < 0) {
      throw Message.illegalArgument(
          "a texture has a negative dimension: %s", text(width, height, depth));
    }
    try {
      volume(width, height, depth);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          Message.of("a texture has more than 2^63 - 1 texels: %s", text(width, height, depth)), e);
    }
  }

  /**
   * {@return a two-dimensional extent}
   *
   * @param width the width
   * @param height the height
   */
  public static TextureExtent of(long width, long height) {
    return new TextureExtent(width, height, OptionalLong.empty());
  }

  /**
   * {@return a three-dimensional extent}
   *
   * @param width the width
   * @param height the height
   * @param depth the number of layers
   */
  public static TextureExtent of(long width, long height, long depth) {
    return new TextureExtent(width, height, OptionalLong.of(depth));
  }

  /** {@return the number of texels} */
  public long volume() {
    return volume(width, height, depth);
  }

  /**
   * {@return true if no dimension is smaller than the same dimension of another extent}
   *
   * @param other an extent with as many dimensions
   */
  public boolean holds(TextureExtent other) {
    return width >= other.width
        && height >= other.height
        && depth.orElse(1) >= other.depth.orElse(1);
  }

  private static long volume(long width, long height, OptionalLong depth) {
    return depth.orElse(1) == 0
        ? 0
        : Math.multiplyExact(Math.multiplyExact(width, height), depth.orElse(1));
  }

  private static String text(long width, long height, OptionalLong depth) {
    String inDepth = depth.isPresent() ? ", " + depth.getAsLong() : "";
    return Message.of("[%d, %d%s]", width, height, inDepth);
  }

  /** {@return the extent as a problem in JSON has it, such as "[4, 2]"} */
  @Override
  public String toString() {
    return text(width, height, depth);
  }
}
