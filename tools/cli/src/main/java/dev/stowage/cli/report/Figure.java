package dev.stowage.cli.report;

import dev.stowage.cli.text.DifferenceText;
import dev.stowage.pages.PageTable.Cell;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** A value of an answer with its unit. Each format writes the values of a unit in one way. */
sealed interface Figure {

  /** A number of bytes. */
  record Bytes(long bytes) implements Figure {}

  /** A number without a unit, such as the number of a task. */
  record Count(long number) implements Figure {}

  /** A number that may exceed 2^63 - 1. */
  record Whole(BigInteger number) implements Figure {}

  /** A share; 1 is 100 %. */
  record Share(double share) implements Figure {}

  /** A number of seconds. */
  record Seconds(double seconds) implements Figure {}

  /** A number that only programs read, without a unit. */
  record Decimal(double number) implements Figure {}

  /** A text, such as a name from a file. */
  record Text(String text) implements Figure {}

  /** A condition. */
  record Flag(boolean holds) implements Figure {}

  /** Numbers without names, such as the offsets of a plan. */
  @SuppressWarnings("ArrayRecordComponent") // there may be a million, and figures are not compared
  record Longs(long[] numbers) implements Figure {}

  /** Values without names. */
  record Sequence(Iterable<Figure> figures) implements Figure {}

  /** Values with names, an object for programs. */
  record Group(Answer answer) implements Figure {}

  /**
   * A text that pages show with a hint, a link or bars.
   *
   * @param isText true if it is no number
   */
  record OnPage(Cell cell, boolean isText) implements Figure {}

  /** No value: JSON omits the name, and a cell is empty. */
  record None() implements Figure {}

  /** No value: null for JSON, and a cell is empty. */
  record Null() implements Figure {}

  /** {@return a value that JSON has as null if it is absent} */
  static Figure orNull(Optional<Figure> figure) {
    return figure.orElseGet(Null::new);
  }

  /** {@return a number that JSON has as null if it is absent} */
  static Figure orNull(OptionalLong number) {
    return number.isPresent() ? new Count(number.getAsLong()) : new Null();
  }

  /** {@return a value, or none} */
  static <T> Figure of(Optional<T> value, Function<T, Figure> figure) {
    return value.map(figure).orElseGet(None::new);
  }

  /** {@return no value} */
  static Figure none() {
    return new None();
  }

  /** {@return values with names} */
  static Figure group(Consumer<Answer> content) {
    Answer group = new Answer();
    content.accept(group);
    return new Group(group);
  }

  /** {@return a number of bytes} */
  static Figure bytes(long bytes) {
    return new Bytes(bytes);
  }

  /** {@return a number of bytes, or none} */
  static Figure bytes(OptionalLong bytes) {
    return bytes.isPresent() ? new Bytes(bytes.getAsLong()) : new None();
  }

  static Figure count(long number) {
    return new Count(number);
  }

  /** {@return a number, or none} */
  static Figure count(OptionalLong number) {
    return number.isPresent() ? new Count(number.getAsLong()) : new None();
  }

  static Figure text(String text) {
    return new Text(text);
  }

  /** {@return a text, or none} */
  static Figure text(Optional<String> text) {
    return text.<Figure>map(Text::new).orElseGet(None::new);
  }

  /** {@return texts without names} */
  static Figure texts(List<?> values) {
    return sequence(values, value -> new Text(value.toString()));
  }

  /** {@return values without names; each value is made when it is printed} */
  static <T> Figure sequence(List<T> values, Function<T, Figure> figure) {
    return new Sequence(() -> values.stream().map(figure).iterator());
  }

  /** {@return numbers without names} */
  static Figure longs(Stream<? extends Number> numbers) {
    return new Longs(numbers.mapToLong(Number::longValue).toArray());
  }

  /** {@return a number of bytes in a unit, such as {@code 5.480 MiB}, for people} */
  static Figure inUnit(long bytes) {
    return new OnPage(new Cell(ByteUnit.human(bytes), ByteUnit.exact(bytes)), false);
  }

  /** {@return a difference of bytes, such as {@code +1,024}, for people} */
  static Figure growth(long bytes) {
    String unit = (bytes > 0 ? "+" : bytes < 0 ? "-" : "") + ByteUnit.human(Math.abs(bytes));
    return new OnPage(new Cell(DifferenceText.signed(bytes), unit), false);
  }

  /**
   * {@return the distance of bytes or a cost from a lower bound, for people: {@code optimal},
   * {@code +12.5 %} or, for a small distance, {@code <0.1 %}}
   */
  static Figure overBound(boolean isOptimal, long number, long bound) {
    String above = Numbers.above(number, bound);
    return share(isOptimal ? "optimal" : above.startsWith("<") ? above : "+" + above);
  }

  /** {@return the excess over a number of bytes, such as {@code +22.8 %}; none if that is 0} */
  static Figure over(long bytes, long baseBytes) {
    long excess = bytes - baseBytes;
    return baseBytes == 0
        ? new None()
        : share((excess < 0 ? "" : "+") + Numbers.percent(excess, baseBytes));
  }

  /** {@return a share as a text for people} */
  static Figure share(String text) {
    return new OnPage(new Cell(text, ""), false);
  }

  /** {@return true if the value is a text rather than a number} */
  default boolean isText() {
    return this instanceof Text || (this instanceof OnPage shown && shown.isText);
  }

  /** {@return true if the value has one field of CSV; the field may be empty} */
  default boolean isSingle() {
    return !(this instanceof Longs || this instanceof Sequence || this instanceof Group);
  }

  /** {@return the value in a cell of a table for people} */
  default String shown() {
    return switch (this) {
      case Bytes(long bytes) -> Numbers.grouped(bytes);
      case Count(long number) -> Numbers.grouped(number);
      case Whole(BigInteger number) -> number.toString();
      case Share(double share) -> Numbers.percent(share);
      case Seconds(double seconds) -> Numbers.seconds(seconds);
      case Decimal(double number) -> Double.toString(number);
      case Text(String text) -> Printable.of(text);
      case Flag(boolean holds) -> holds ? "yes" : "no";
      case OnPage(Cell cell, boolean _) -> Printable.of(cell.text());
      case Longs _, Sequence _, Group _, None _, Null _ -> "";
    };
  }
}
