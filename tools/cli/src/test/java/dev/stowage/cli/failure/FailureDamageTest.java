package dev.stowage.cli.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Seeds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Randomly damaged, cut and joined texts. An answer has only numbers of the text. */
final class FailureDamageTest {

  private static final int DAMAGES_PER_SEED = 500;

  private static final List<String> TEXTS = FailureTextsTest.texts();

  private static final Pattern NUMBER = Pattern.compile("\\d{1,20}(?:\\.\\d{1,6})?");

  /** Parts that a report of a BFC allocator has as sums, or that follow from others. */
  private static final Set<FailurePart> SUMS =
      EnumSet.of(
          FailurePart.ALLOCATED,
          FailurePart.CACHED,
          FailurePart.POOL_MOST,
          FailurePart.CHUNKS_IN_USE,
          FailurePart.CHUNKS_FREE,
          FailurePart.LARGEST_HOLE,
          FailurePart.MAP_FREE);

  private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

  static LongStream seeds() {
    return Seeds.of(200);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void explain_damagedText_hasNoOtherNumbers(long seed) throws IOException {
    Random random = new Random(seed);
    for (int i = 0; i < DAMAGES_PER_SEED; i++) {
      check(damaged(random));
    }
  }

  private static String damaged(Random random) {
    StringBuilder text = new StringBuilder(TEXTS.get(random.nextInt(TEXTS.size())));
    if (random.nextInt(4) == 0) {
      text.append(TEXTS.get(random.nextInt(TEXTS.size())));
    }
    for (int damages = 1 + random.nextInt(4); damages > 0 && !text.isEmpty(); damages--) {
      int from = random.nextInt(text.length());
      int to = Math.min(text.length(), from + 1 + random.nextInt(12));
      switch (random.nextInt(7)) {
        case 0 -> text.delete(from, to);
        case 1 -> text.setLength(from);
        case 2 -> text.delete(0, from);
        case 3 -> text.insert(from, text.substring(from, to));
        case 4 ->
            text.insert(
                from,
                (char) (random.nextInt(4) == 0 ? random.nextInt(0x2fff) : 32 + random.nextInt(95)));
        case 5 -> text.setCharAt(from, (char) ('0' + random.nextInt(10)));
        default ->
            text.insert(from, random.nextBoolean() ? "\n> " : "\r\n2026-11-01 10:00:00 INFO ");
      }
    }
    return text.toString();
  }

  private static void check(String text) throws IOException {
    FailureReader.Found found =
        FailureReader.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    if (found.last().isEmpty()) {
      return;
    }
    Failure failure = found.last().get();
    ExplainedFailure explained = ExplainedFailure.of("text", failure, found.count(), false);
    assertThat(explained.sentence()).as(text).isNotBlank().endsWith(".").doesNotContain("  ", "%");
    Set<Long> numbers = numbers(text);
    for (Map.Entry<FailurePart, PrintedBytes> number : failure.numbers().all().entrySet()) {
      assertThat(number.getValue().lowBytes()).as(text).isBetween(0L, number.getValue().bytes());
      assertThat(number.getValue().bytes())
          .as(text)
          .isLessThanOrEqualTo(number.getValue().highBytes());
      if (!SUMS.contains(number.getKey()) && number.getKey() != FailurePart.RESERVED) {
        assertThat(numbers).as("%s of %s", number, text).contains(number.getValue().bytes());
      }
    }
  }

  /** {@return the numbers of a text in each unit, of powers of 1,024 and of 1,000} */
  private static Set<Long> numbers(String text) {
    return NUMBER
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .flatMap(number ->
            IntStream.range(0, 14)
                .mapToObj(i ->
                    new BigDecimal(number)
                        .multiply(BigDecimal.valueOf(i < 7 ? 1024 : 1000).pow(i % 7))))
        .map(bytes -> bytes.min(MOST).setScale(0, RoundingMode.HALF_UP).longValueExact())
        .collect(Collectors.toSet());
  }
}
