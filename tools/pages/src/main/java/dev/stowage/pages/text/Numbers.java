package dev.stowage.pages.text;

/** Numbers in texts for people, the same in every locale. */
public final class Numbers {

  private Numbers() {}

  /** {@return the exact number, grouped: {@code 6,021,120}} */
  public static String grouped(long number) {
    return Text.of("%,d", number);
  }

  /** {@return a number of things: {@code 1 tensor}, {@code 1,042 tensors}} */
  public static String count(long number, String thing) {
    return grouped(number) + " " + thing + (number == 1 ? "" : "s");
  }

  /**
   * {@return a percentage such as {@code 1,012.5 %}; {@code 0.0 %} if the whole is 0}
   *
   * @param whole the whole, 100 %
   */
  public static String percent(long part, long whole) {
    return Text.of("%,.1f %%", whole == 0 ? 0 : 100.0 * part / whole);
  }

  /**
   * {@return a percentage such as {@code 12.5 %}}
   *
   * @param share 1 is 100 %
   */
  public static String percent(double share) {
    return Text.of("%,.1f %%", 100 * share);
  }

  /**
   * {@return the percentage of an excess; {@code 0.0 %} only if there is none, else at least {@code
   * <0.1 %}}
   *
   * @param share 1 is 100 %; not negative
   */
  public static String excess(double share) {
    return share > 0 && share < 0.0005 ? "<0.1 %" : percent(share);
  }

  /**
   * {@return the distance of a number from a bound, such as {@code 12.5 %}, {@code 0.0 %} only if
   * both are equal; without a percent sign if the bound is 0}
   *
   * @param number the number, at least the bound
   */
  public static String above(long number, long bound) {
    return bound == 0 && number > 0
        ? grouped(number)
        : excess(bound == 0 ? 0 : (double) (number - bound) / bound);
  }

  /** {@return seconds with six decimals} */
  public static String seconds(double seconds) {
    return Text.of("%.6f", seconds);
  }
}
