package dev.stowage.cli.text;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import java.nio.file.Path;
import java.util.function.LongFunction;

/** The sentence on the difference of two files. */
public final class DifferenceText {

  private DifferenceText() {}

  /** {@return the name of a file: without its folder, unless that of the other one is the same} */
  public static String name(String input, String other) {
    String name = fileName(input);
    return Printable.of(name.equals(fileName(other)) ? input : name);
  }

  private static String fileName(String input) {
    return String.valueOf(Path.of(input).getFileName());
  }

  /**
   * {@return the difference, such as {@code b.csv needs 1.500 KiB more than a.csv (+12.5 %)}}
   *
   * @param verb the verb for what the bytes of both files are, such as {@code needs}
   * @param when the moment, such as {@code at its peak}; empty if there is none
   * @param text returns bytes in words
   */
  public static String sentence(
      String a,
      String b,
      String verb,
      String when,
      long bytesA,
      long bytesB,
      LongFunction<String> text) {
    String nameA = name(a, b);
    String nameB = name(b, a);
    String moment = when.isEmpty() ? "" : " " + when;
    long growth = bytesB - bytesA;
    if (growth == 0) {
      return Text.of("%s %s as much as %s%s: %s", nameB, verb, nameA, moment, text.apply(bytesB));
    }
    return Text.of(
        "%s %s %s %s than %s%s%s",
        nameB,
        verb,
        text.apply(Math.abs(growth)),
        growth > 0 ? "more" : "less",
        nameA,
        moment,
        percent(growth, bytesA));
  }

  /** {@return the share of a growth, in brackets and after a space; empty for a growth from 0} */
  public static String percent(long growthBytes, long bytesA) {
    return bytesA == 0
        ? ""
        : " (" + signed(growthBytes, Numbers.percent(growthBytes, bytesA)) + ")";
  }

  /** {@return the sentence on two files that do not differ} */
  public static String none(String a, String b) {
    return a.equals(b)
        ? "No difference between A and B"
        : Text.of("No difference between %s and %s", name(a, b), name(b, a));
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
        : Text.of(
            "; %s alone: %s%s",
            Printable.of(name), causeBytes > 0 ? "+" : "-", ByteUnit.human(part));
  }

  /** {@return a number with its sign: {@code +1,024}} */
  public static String signed(long bytes) {
    return signed(bytes, Numbers.grouped(bytes));
  }

  private static String signed(long number, String text) {
    return (number > 0 ? "+" : "") + text;
  }
}
