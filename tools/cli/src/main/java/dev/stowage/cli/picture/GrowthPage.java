package dev.stowage.cli.picture;

import dev.stowage.cli.text.GrowthText;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.FiguresPage;
import dev.stowage.pages.FiguresPage.Figure;
import dev.stowage.pages.StackedAreas;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.process.ByteGrowth;
import dev.stowage.process.GrowthVerdict;
import dev.stowage.process.MemoryByOwner;
import dev.stowage.process.MemoryGrowth;
import dev.stowage.process.MemorySample;
import dev.stowage.process.OwnerGrowth;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The page of the growth of the memory of a process. */
public final class GrowthPage {

  /** The least number of units on the axis of the time, before a smaller unit is better. */
  private static final int LEAST_UNITS = 4;

  private static final List<ChronoUnit> UNITS =
      List.of(ChronoUnit.DAYS, ChronoUnit.HOURS, ChronoUnit.MINUTES, ChronoUnit.SECONDS);

  /** A row of the table: a part, or a figure of it. */
  private record Row(String name, ByteGrowth bytes) {}

  private GrowthPage() {}

  /** {@return the page} */
  public static FiguresPage of(MemoryGrowth growth, RunFacts run) {
    MemoryByOwner last = growth.samples().getLast().memory();
    String process = WhoPage.process(last);
    FiguresPage page =
        new FiguresPage(process + ": " + GrowthText.samples(growth), process, "Sampled", run);
    page.addFigures(figures(growth));
    List<GrowthVerdict> verdicts = growth.verdicts();
    if (verdicts.isEmpty()) {
      page.addText(GrowthText.nothingGrows(growth));
    }
    for (GrowthVerdict verdict : verdicts) {
      page.addText(GrowthText.sentence(verdict) + " " + verdict.explanation());
    }
    page.addHeading("Resident memory by owner");
    page.add(areas(growth));
    page.addText("At the last sample:");
    WhoPage.addBar(last, page);
    page.addTable(table(growth));
    if (GrowthText.hasEstimate(growth)) {
      page.addText(GrowthText.ESTIMATE);
    }
    WhoPage.addFindings(last, page);
    return page;
  }

  private static List<Figure> figures(MemoryGrowth growth) {
    ByteGrowth resident = growth.residentBytes();
    List<Figure> figures = new ArrayList<>();
    figures.add(new Figure("Resident at first", GrowthText.bytes(resident.firstBytes())));
    figures.add(new Figure("Resident at last", GrowthText.bytes(resident.lastBytes())));
    figures.add(new Figure("Growth", GrowthText.signed(resident.growthBytes())));
    resident
        .bytesPerHour()
        .ifPresent(rate -> figures.add(new Figure("Growth per hour", GrowthText.signed(rate))));
    return figures;
  }

  /**
   * {@return the areas, those that grow most on top, so that the others do not hide their slope}
   */
  private static StackedAreas areas(MemoryGrowth growth) {
    List<MemorySample> samples = growth.samples();
    List<StackedAreas.Area> areas =
        growth.parts().reversed().stream()
            .map(part ->
                new StackedAreas.Area(
                    part.owner().title(),
                    samples.stream().map(sample -> sample.bytesOf(part.owner())).toList()))
            .toList();
    if (growth.duration().isEmpty()) {
      return new StackedAreas(
          "samples",
          "resident",
          1,
          LongStream.rangeClosed(1, samples.size()).boxed().toList(),
          IntStream.rangeClosed(1, samples.size()).mapToObj(i -> "sample " + i).toList(),
          areas);
    }
    long millis = growth.duration().orElseThrow().toMillis();
    ChronoUnit unit =
        UNITS.stream()
            .filter(each -> millis >= LEAST_UNITS * each.getDuration().toMillis())
            .findFirst()
            .orElse(ChronoUnit.SECONDS);
    long start = millis(samples.getFirst());
    return new StackedAreas(
        unit.toString().toLowerCase(Locale.ROOT) + " after " + time(samples.getFirst()),
        "resident",
        unit.getDuration().toMillis(),
        samples.stream().map(sample -> millis(sample) - start).toList(),
        samples.stream().map(GrowthPage::time).toList(),
        areas);
  }

  private static long millis(MemorySample sample) {
    return sample.time().orElseThrow().toEpochMilli();
  }

  /** {@return the time, such as {@code 2026-03-01 08:30:00 UTC}} */
  private static String time(MemorySample sample) {
    String text = sample.time().orElseThrow().truncatedTo(ChronoUnit.SECONDS).toString();
    return text.replace('T', ' ').replace("Z", " UTC");
  }

  private static FigureTable<Row> table(MemoryGrowth growth) {
    FigureTable<Row> table =
        new FigureTable<Row>("Growth by owner")
            .text("Owner", Row::name)
            .bytes("First", row -> row.bytes.firstBytes())
            .bytes("Last", row -> row.bytes.lastBytes())
            .number("Growth", row -> Cell.growth(row.bytes.growthBytes()));
    if (growth.duration().isPresent()) {
      table.number("Per hour", row -> rate(row.bytes.bytesPerHour()));
    }
    for (OwnerGrowth part : GrowthText.shown(growth)) {
      String name = part.owner().title();
      table.add(new Row(name + (part.isEstimate() ? " ~" : ""), part.bytes()));
      part.figures()
          .forEach(figure -> table.add(new Row(name + ": " + figure.name(), figure.bytes())));
    }
    table.add(new Row("resident", growth.residentBytes()));
    return table;
  }

  private static Cell rate(OptionalLong bytesPerHour) {
    return bytesPerHour.isPresent() ? Cell.growth(bytesPerHour.getAsLong()) : Cell.none();
  }
}
