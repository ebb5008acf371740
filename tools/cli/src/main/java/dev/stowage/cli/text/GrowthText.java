package dev.stowage.cli.text;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.process.ByteGrowth.Course;
import dev.stowage.process.GrowthVerdict;
import dev.stowage.process.MemoryGrowth;
import dev.stowage.process.OwnerGrowth;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Sentences and numbers on the growth of memory. */
public final class GrowthText {

  private GrowthText() {}

  /** {@return the parts that have bytes in the first or the last sample} */
  public static List<OwnerGrowth> shown(MemoryGrowth growth) {
    return growth.parts().stream()
        .filter(part -> part.bytes().firstBytes() > 0 || part.bytes().lastBytes() > 0)
        .toList();
  }

  /** {@return the number of samples and their time, such as {@code 61 samples in 10 min 0 s}} */
  public static String samples(MemoryGrowth growth) {
    Optional<Duration> duration = growth.duration();
    return Numbers.count(growth.samples().size(), "sample")
        + duration.map(time -> " in " + text(time)).orElse("");
  }

  private static String text(Duration time) {
    if (time.toHours() > 0) {
      return Text.of("%,d h %d min", time.toHours(), time.toMinutesPart());
    }
    return time.toMinutes() > 0
        ? Text.of("%d min %d s", time.toMinutes(), time.toSecondsPart())
        : Text.of("%.1f s", time.toMillis() / 1e3);
  }

  /** {@return bytes in a unit with one decimal, such as {@code 1.5 MiB}} */
  public static String bytes(long bytes) {
    ByteUnit unit = ByteUnit.unitFor(bytes);
    return unit.bytes() == 1
        ? ByteUnit.human(bytes)
        : Text.of("%.1f %s", (double) bytes / unit.bytes(), unit.name());
  }

  /** {@return bytes with a sign, such as {@code +1.5 MiB}} */
  public static String signed(long bytes) {
    String sign = bytes > 0 ? "+" : bytes < 0 ? "-" : "";
    return sign + bytes(Math.abs(bytes));
  }

  /** {@return the sentence that names the cause of a growth} */
  public static String cause(GrowthVerdict verdict) {
    Course course = verdict.bytes().course();
    return Text.of(
        "The %sgrowth of %s by %s comes from %s.",
        course == Course.FEW_SAMPLES ? "" : course.name().toLowerCase(Locale.ROOT) + " ",
        verdict.subject(),
        bytes(verdict.bytes().growthBytes()),
        verdict.cause().title());
  }

  /** {@return the sentence for samples in which nothing grows} */
  public static String nothingGrows(MemoryGrowth growth) {
    return "Nothing grows by " + bytes(growth.leastBytes()) + " or more.";
  }
}
