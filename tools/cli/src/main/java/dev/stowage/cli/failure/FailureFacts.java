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
record FailureFacts(Failure failure, Set<OutOfMemoryVerdict> verdicts) {

  static final List<RuleBlock.Line> REMEDIES = lines("remedies.txt");

  private static final List<RuleBlock.Line> ALL =
      Stream.concat(lines("sentences.txt").stream(), REMEDIES.stream()).toList();

  private static List<RuleBlock.Line> lines(String resource) {
    return RuleBlock.read(FailureFacts.class, resource).stream()
        .flatMap(block -> block.lines().stream())
        .toList();
  }

  /** {@return the verdict; unknown if the numbers permit several} */
  OutOfMemoryVerdict verdict() {
    return verdicts.size() == 1 ? verdicts.iterator().next() : OutOfMemoryVerdict.UNKNOWN;
  }

  /** {@return the answer: the verdict and its numbers} */
  String sentence() {
    return Template.fill("{sentence}[ {largest}]", this::value);
  }

  /** {@return true for the program, the verdict, the cause, and each known value} */
  boolean holds(String name) {
    return name.equals(name.toUpperCase(Locale.ROOT))
        ? name.equals(failure.program().name()) || name.equals(verdict().name())
        : name.equals("cause_" + failure.cause().name().toLowerCase(Locale.ROOT))
            || value(name).isPresent();
  }

  /** {@return a value in words: a number, or the first line with this key that holds} */
  Optional<String> value(String name) {
    return switch (name) {
      case "program" -> Optional.of(failure.program().title());
      case "device" -> Optional.of(failure.program().device());
      case "detail" -> Optional.of(failure.detail()).filter(detail -> !detail.isEmpty());
      case "state" -> Optional.of(failure.kind()).filter(kind -> kind.startsWith("state"));
      case "several" ->
          Optional.of(verdicts.size() == 2 ? "two" : "several").filter(_ -> verdicts.size() > 1);
      case "sides" ->
          Optional.of(
              verdicts.stream()
                  .map(one -> new FailureFacts(failure, Set.of(one)).value("side").orElseThrow())
                  .collect(Collectors.joining(", or ")));
      case "raised" ->
          failure
              .numbers()
              .get(FailurePart.LIMIT)
              .map(limit -> Math.max(1, (limit.bytes() * 5 / 4) >> 20) + "m")
              .or(() -> Optional.of("SIZE"));
      default -> failure.numbers().text(name).or(() -> line(name));
    };
  }

  private Optional<String> line(String key) {
    return ALL.stream()
        .filter(line -> line.key().equals(key) && line.holds(this::holds))
        .findFirst()
        .map(line -> Template.fill(line.value(), this::value));
  }
}
