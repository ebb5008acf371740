package dev.stowage.cli.failure;

import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.cli.text.RuleBlock;
import dev.stowage.cli.text.Template;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The facts of a failure that the lines of {@code sentences.txt} and {@code remedies.txt} name.
 *
 * @param failure the failure
 * @param verdicts the verdicts that its numbers permit
 */
public record FailureFacts(Failure failure, Set<OutOfMemoryVerdict> verdicts) {

  /** The share of the reserved bytes below which few are cached, as a divisor. */
  private static final long CACHED_DIVISOR = 20;

  private static final String KIND = "kind_";

  private static final List<RuleBlock.Line> LINES =
      Stream.of("sentences.txt", "remedies.txt")
          .flatMap(resource -> RuleBlock.read(FailureFacts.class, resource).stream())
          .flatMap(block -> block.lines().stream())
          .toList();

  /** {@return the facts of a failed request} */
  public static FailureFacts of(
      FailureProgram program, OutOfMemoryVerdict verdict, FailureNumbers numbers) {
    Failure failure = new Failure(program, "", Failure.Cause.REQUEST, numbers, "", 1);
    return new FailureFacts(failure, Set.of(verdict));
  }

  /** {@return the verdict; unknown if the numbers permit several} */
  OutOfMemoryVerdict verdict() {
    return verdicts.size() == 1 ? verdicts.iterator().next() : OutOfMemoryVerdict.UNKNOWN;
  }

  /** {@return the answer: the verdict and its numbers} */
  String sentence() {
    return Template.fill("{sentence}[ {largest}]", this::value);
  }

  /** {@return the lines that hold} */
  Stream<RuleBlock.Line> lines() {
    return LINES.stream().filter(line -> line.holds(this::holds));
  }

  /** {@return the values of the lines with a key that hold} */
  Stream<String> values(String key) {
    return LINES.stream()
        .filter(line -> line.key().equals(key) && line.holds(this::holds))
        .map(line -> Template.fill(line.value(), this::value));
  }

  /**
   * {@return true for the program, the verdict, the cause, {@code kind_} and a word of the kind,
   * each known value, and {@code a>b} if one number is larger than another}
   */
  boolean holds(String name) {
    String[] numbers = name.split(">", -1);
    if (numbers.length == 2) {
      return bytes(numbers[0]) > bytes(numbers[1]);
    }
    if (name.startsWith(KIND)) {
      return failure.kind().contains(name.substring(KIND.length()));
    }
    return name.equals(name.toUpperCase(Locale.ROOT))
        ? name.equals(failure.program().name()) || name.equals(verdict().name())
        : name.equals("cause_" + failure.cause().name().toLowerCase(Locale.ROOT))
            || value(name).isPresent();
  }

  private long bytes(String name) {
    return failure.numbers().named(name).map(PrintedBytes::bytes).orElse(0L);
  }

  /**
   * {@return a value in words: a number, or the first line with this key that holds}
   *
   * @param name the name; a number in upper case has a unit and its bytes
   */
  public Optional<String> value(String name) {
    Optional<PrintedBytes> number = failure.numbers().named(name);
    boolean isLong = name.equals(name.toUpperCase(Locale.ROOT));
    return switch (name) {
      case "detail" -> Optional.of(failure.detail()).filter(detail -> !detail.isEmpty());
      case "little_cached" ->
          failure
              .numbers()
              .get(FailurePart.CACHED)
              .filter(cached -> cached.bytes() <= bytes("reserved") / CACHED_DIVISOR)
              .map(PrintedBytes::brief);
      case "overflow" ->
          failure.requested().filter(PrintedBytes::isOverflow).map(PrintedBytes::brief);
      case "several" ->
          Optional.of(verdicts.size() == 2 ? "two" : "several").filter(_ -> verdicts.size() > 1);
      case "sides" ->
          Optional.of(
              verdicts.stream()
                  .map(one -> new FailureFacts(failure, Set.of(one)).value("side").orElseThrow())
                  .collect(Collectors.joining(", or ")));
      case "raised" ->
          Optional.of(
              failure
                  .numbers()
                  .given(FailurePart.LIMIT)
                  .map(limit -> Math.max(1, (limit.bytes() * 5 / 4) >> 20) + "m")
                  .orElse("SIZE"));
      default ->
          number
              .map(bytes -> isLong ? bytes.shown() : bytes.brief())
              .or(() -> values(name).findFirst());
    };
  }
}
