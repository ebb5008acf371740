package dev.stowage.cli.report;

import dev.stowage.cli.text.GrowthText;
import dev.stowage.cli.text.ProductVersion;
import dev.stowage.pages.PartBars;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.process.ByteGrowth;
import dev.stowage.process.GrowthVerdict;
import dev.stowage.process.MemoryByOwner;
import dev.stowage.process.MemoryGrowth;
import dev.stowage.process.MemorySample;
import dev.stowage.process.OwnedMemory;
import dev.stowage.process.OwnerGrowth;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The growth of the resident memory of a process, by owner, and its causes. */
public final class WhoGrowthAnswer {

  /** The number of samples that a page shows. */
  private static final int MOST_BARS = 12;

  private final MemoryGrowth growth;
  private final Answer answer = new Answer();

  private WhoGrowthAnswer(MemoryGrowth growth) {
    this.growth = growth;
  }

  /** {@return the answer; for people, it starts with the conclusion} */
  public static Answer of(MemoryGrowth growth, Conclusion conclusion) {
    WhoGrowthAnswer made = new WhoGrowthAnswer(growth);
    made.answer.conclusion(WhoAnswer.subject(growth.samples().getLast().memory()), conclusion);
    made.addFields();
    made.addLines();
    return made.answer.field("version", Figure.text(ProductVersion.find()));
  }

  private void addFields() {
    MemoryByOwner last = growth.samples().getLast().memory();
    answer
        .field("pid", last.pid())
        .field("command", last.command())
        .field(
            "seconds", Figure.of(growth.duration(), it -> new Figure.Seconds(it.toMillis() / 1e3)))
        .groups("samples", growth.samples(), WhoGrowthAnswer::add)
        .group("resident", each -> add(growth.residentBytes(), each))
        .groups("parts", growth.parts(), WhoGrowthAnswer::add)
        .field("least_bytes", growth.leastBytes())
        .groups("verdicts", growth.verdicts(), WhoGrowthAnswer::add);
  }

  private static void add(MemorySample sample, Answer each) {
    each.field("time", Figure.text(sample.time().map(Object::toString)))
        .field("resident_bytes", sample.memory().residentBytes())
        .group(
            "parts",
            group ->
                sample.memory().parts().stream()
                    .sorted(Comparator.comparing(OwnedMemory::owner))
                    .forEach(part -> group.field(name(part.owner()), part.bytes())));
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static void add(ByteGrowth bytes, Answer each) {
    each.field("first_bytes", bytes.firstBytes())
        .field("last_bytes", bytes.lastBytes())
        .field("growth_bytes", bytes.growthBytes())
        .field("risen_bytes", bytes.risenBytes())
        .field("bytes_per_hour", Figure.count(bytes.bytesPerHour()))
        .field("course", name(bytes.course()));
  }

  private static void add(OwnerGrowth part, Answer each) {
    each.field("owner", name(part.owner())).field("estimate", part.isEstimate());
    add(part.bytes(), each);
  }

  private static void add(GrowthVerdict verdict, Answer each) {
    each.field("cause", name(verdict.cause()))
        .field("subject", verdict.subject())
        .field("owners", Figure.sequence(verdict.owners(), owner -> Figure.text(name(owner))));
    add(verdict.bytes(), each);
    each.field("text", GrowthText.cause(verdict)).field("explanation", verdict.explanation());
  }

  private void addLines() {
    answer.picture(page -> page.add(bars(growth))).facts(facts());
    // The conclusion has the first one.
    growth.verdicts().stream()
        .skip(1)
        .forEach(
            verdict -> answer.line("%n%s %s", GrowthText.cause(verdict), verdict.explanation()));
  }

  private Facts facts() {
    Facts facts =
        growth.duration().isPresent()
            ? new Facts("OWNER", "first", "last", "growth", "per hour")
            : new Facts("OWNER", "first", "last", "growth");
    for (OwnerGrowth part : GrowthText.shown(growth)) {
      add(part.owner().title(), part.bytes(), facts);
    }
    add("resident", growth.residentBytes(), facts);
    return facts;
  }

  private static void add(String label, ByteGrowth bytes, Facts facts) {
    facts.row(
        "",
        label,
        Stream.concat(
                Stream.of(
                    GrowthText.bytes(bytes.firstBytes()),
                    GrowthText.bytes(bytes.lastBytes()),
                    GrowthText.signed(bytes.growthBytes())),
                bytes.bytesPerHour().stream().mapToObj(GrowthText::signed))
            .map(Figure::text)
            .toArray(Figure[]::new));
  }

  /** {@return a bar for each of some samples, the first and the last one among them} */
  private static PartBars bars(MemoryGrowth growth) {
    List<MemorySample> samples = growth.samples();
    int count = Math.min(MOST_BARS, samples.size());
    int last = samples.size() - 1;
    return new PartBars(
        growth.parts().stream().map(part -> part.owner().title()).toList(),
        IntStream.range(0, count)
            .map(i -> i * last / (count - 1))
            .mapToObj(i ->
                new PartBars.Bar(
                    growth.duration().isPresent() ? time(samples.get(i)) : "sample " + (i + 1),
                    growth.parts().stream()
                        .map(part -> samples.get(i).bytesOf(part.owner()))
                        .toList()))
            .toList(),
        WhoAnswer.limitBytes(samples.getLast().memory()));
  }

  /** {@return the time, such as {@code 2026-03-01 08:30:00 UTC}} */
  private static String time(MemorySample sample) {
    String text = sample.time().orElseThrow().truncatedTo(ChronoUnit.SECONDS).toString();
    return text.replace('T', ' ').replace("Z", " UTC");
  }
}
