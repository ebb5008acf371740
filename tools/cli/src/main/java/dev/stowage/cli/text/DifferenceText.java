package dev.stowage.cli.text;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import java.nio.file.Path;

/** The sentence on the difference of two files. */
public final class DifferenceText {

  private DifferenceText() {}

  /** {@return the name of a file, without its folder unless both files have the same name} */
  public static String name(String input, String other) {
    String name = fileName(input);
    return Printable.of(name.equals(fileName(other)) ? input : name);
  }

  private static String fileName(String input) {
    return String.valueOf(Path.of(input).getFileName());
  }

  /** {@return the title of a page: {@code a.csv and b.csv}} */
  public static String title(String a, String b) {
    return name(a, b) + " and " + name(b, a);
  }

  /**
   * {@return the difference: {@code b.csv needs 1.500 KiB (1,536 bytes) more than a.csv (+12.5 %)}}
   *
   * @param verb the verb between a file and its bytes, such as {@code needs}
   * @param when the moment after a space, such as {@code at its peak}; empty if there is none
   */
  public static String sentence(
      String a, String b, String verb, String when, long bytesA, long bytesB) {
    String nameA = name(a, b);
    String nameB = name(b, a);
    long growth = bytesB - bytesA;
    if (growth == 0) {
      return Text.of(
          "%s %s as much as %s%s: %s", nameB, verb, nameA, when, ByteUnit.sentence(bytesB));
    }
    return Text.of(
        "%s %s %s %s than %s%s%s",
        nameB,
        verb,
        ByteUnit.sentence(Math.abs(growth)),
        growth > 0 ? "more" : "less",
        nameA,
        when,
        percent(growth, bytesA));
  }

  /** {@return the share of a growth, in brackets and after a space; empty for a growth from 0} */
  public static String percent(long growthBytes, long bytesA) {
    return bytesA == 0
        ? ""
        : " (" + signed(growthBytes, Numbers.percent(growthBytes, bytesA)) + ")";
  }

  /**
   * {@return the largest cause of a difference as a part of its sentence}
   *
   * @param growthBytes the difference
   * @param causeBytes the part of it that has the cause
   */
  public static String cause(String name, long growthBytes, long causeBytes) {
    if (growthBytes == 0 || Long.signum(growthBytes) != Long.signum(causeBytes)) {
      return "";
    }
    long most = Math.abs(growthBytes);
    long part = Math.abs(causeBytes);
    return most / 2 < part && part <= most
        ? ", most of it from " + Printable.of(name)
        : Text.of("; %s alone: %s", Printable.of(name), figure(causeBytes));
  }

  /** {@return a growth in a unit: {@code +1.500 KiB}} */
  public static String figure(long growthBytes) {
    return (growthBytes > 0 ? "+" : growthBytes < 0 ? "-" : "")
        + ByteUnit.human(Math.abs(growthBytes));
  }

  /** {@return a number with its sign: {@code +1,024}} */
  public static String signed(long bytes) {
    return signed(bytes, Numbers.grouped(bytes));
  }

  private static String signed(long number, String text) {
    return (number > 0 ? "+" : "") + text;
  }
}
