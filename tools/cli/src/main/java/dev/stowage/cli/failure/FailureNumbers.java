package dev.stowage.cli.failure;

import dev.stowage.cli.text.RuleBlock;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The numbers of a failure: of its text, and derived from them.
 *
 * @param all the numbers of the text
 */
public record FailureNumbers(Map<FailurePart, PrintedBytes> all) {

  /** No numbers. */
  public static final FailureNumbers NONE = new FailureNumbers(Map.of());

  private static final List<RuleBlock.Line> RULES =
      RuleBlock.read(FailureNumbers.class, "numbers.txt").getFirst().lines();

  /** The most rules that lead from numbers of a text to another number. */
  private static final int MOST_STEPS = 5;

  /** {@return these numbers with another one, if it is there} */
  public FailureNumbers with(FailurePart part, Optional<PrintedBytes> number) {
    return number.map(bytes -> with(part, bytes)).orElse(this);
  }

  /** {@return these numbers with another one} */
  public FailureNumbers with(FailurePart part, PrintedBytes number) {
    Map<FailurePart, PrintedBytes> more = new EnumMap<>(FailurePart.class);
    more.putAll(all);
    more.put(part, number);
    return new FailureNumbers(more);
  }

  /** {@return these numbers and others; the more exact number of two counts} */
  FailureNumbers and(FailureNumbers others) {
    Map<FailurePart, PrintedBytes> more = new EnumMap<>(FailurePart.class);
    more.putAll(all);
    others.all.forEach((part, number) ->
        more.merge(
            part, number, (one, other) -> other.rangeBytes() < one.rangeBytes() ? other : one));
    return new FailureNumbers(more);
  }

  /** {@return these numbers with the numbers of the next line of a report, which lists chunks} */
  FailureNumbers plus(FailureNumbers next) {
    FailureNumbers sum = this;
    for (Map.Entry<FailurePart, PrintedBytes> number : next.all.entrySet()) {
      PrintedBytes other = number.getValue();
      PrintedBytes one = all.getOrDefault(number.getKey(), PrintedBytes.exact(0));
      sum =
          sum.with(
              number.getKey(),
              switch (number.getKey()) {
                case CHUNKS_IN_USE, CHUNKS_FREE -> one.plus(other);
                case LARGEST_HOLE, LARGEST_CHUNK -> one.bytes() > other.bytes() ? one : other;
                default -> other;
              });
    }
    return sum;
  }

  /** {@return a number of the text} */
  public Optional<PrintedBytes> given(FailurePart part) {
    return Optional.ofNullable(all.get(part));
  }

  boolean has(FailurePart part) {
    return all.containsKey(part);
  }

  /** {@return a number of the text, or derived from others} */
  public Optional<PrintedBytes> get(FailurePart part) {
    return get(part, MOST_STEPS);
  }

  private Optional<PrintedBytes> get(FailurePart part, int steps) {
    return given(part)
        .or(() ->
            RULES.stream()
                .filter(rule -> steps > 0 && rule.key().equals(part.name()))
                .filter(rule -> rule.holds(this::isGiven))
                .flatMap(rule -> derived(rule.value().split(" ", -1), steps - 1).stream())
                .findFirst());
  }

  private Optional<PrintedBytes> derived(String[] words, int steps) {
    Optional<PrintedBytes> one = get(FailurePart.valueOf(words[0]), steps);
    if (words.length == 1 || one.isEmpty()) {
      return one;
    }
    Optional<PrintedBytes> other = get(FailurePart.valueOf(words[2]), steps);
    return words[1].equals("+")
        ? other.map(one.get()::plus)
        : other.map(one.get()::minus).filter(number -> words[1].equals("-") || number.bytes() > 0);
  }

  private boolean isGiven(String name) {
    return name.equals("overflow")
        ? given(FailurePart.REQUESTED).filter(PrintedBytes::isOverflow).isPresent()
        : has(FailurePart.valueOf(name.toUpperCase(Locale.ROOT)));
  }

  /** {@return the bytes of a number; 0 if it is not known} */
  long bytes(FailurePart part) {
    return get(part).map(PrintedBytes::bytes).orElse(0L);
  }

  /** {@return true if the allocated bytes are 99 % of the limit, or more} */
  boolean isLimitReached() {
    return has(FailurePart.LIMIT)
        && bytes(FailurePart.ALLOCATED) >= bytes(FailurePart.LIMIT) / 100 * 99;
  }

  /**
   * {@return a number with the name of a {@link FailurePart}; empty if it is not known, or if there
   * is no such name}
   */
  Optional<PrintedBytes> named(String name) {
    return Arrays.stream(FailurePart.values())
        .filter(part -> part.name().equalsIgnoreCase(name))
        .findFirst()
        .flatMap(this::get);
  }
}
