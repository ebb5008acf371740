package dev.stowage.cli.picture;

import dev.stowage.cli.text.GrowthText;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.FiguresPage;
import dev.stowage.pages.FiguresPage.Figure;
import dev.stowage.pages.PartBars;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.process.CgroupMemory;
import dev.stowage.process.MallocArena;
import dev.stowage.process.MemoryByOwner;
import dev.stowage.process.MemoryFinding;
import dev.stowage.process.MemoryOwner;
import dev.stowage.process.OwnedMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The page of the memory of a process at one moment. */
public final class WhoPage {

  /** A row of the table: a part, or a detail of it, which may also be in other parts. */
  private record Row(String name, long bytes, boolean isPart) {}

  private WhoPage() {}

  /** {@return the page} */
  public static FiguresPage of(MemoryByOwner memory, RunFacts run) {
    String process = process(memory);
    FiguresPage page =
        new FiguresPage(
            process + ": " + ByteUnit.human(memory.residentBytes()) + " resident",
            process,
            "Read",
            run);
    page.addFigures(figures(memory));
    page.addHeading("Resident memory by owner");
    addBar(memory, page);
    addFindings(memory, page);
    page.addHeading("Owners");
    addTables(memory, page);
    return page;
  }

  /** {@return the number of the process and its program} */
  static String process(MemoryByOwner memory) {
    return "Process " + memory.pid() + ", " + Printable.of(memory.command());
  }

  private static OptionalLong limit(MemoryByOwner memory) {
    return memory.cgroup().map(CgroupMemory::limitBytes).orElse(OptionalLong.empty());
  }

  private static List<Figure> figures(MemoryByOwner memory) {
    List<Figure> figures = new ArrayList<>();
    figures.add(new Figure("Resident", ByteUnit.exact(memory.residentBytes())));
    if (!memory.parts().isEmpty()) {
      OwnedMemory largest = memory.parts().getFirst();
      figures.add(
          new Figure("Largest owner: " + largest.owner().title(), ByteUnit.exact(largest.bytes())));
    }
    memory
        .cgroup()
        .ifPresent(group -> {
          figures.add(new Figure("Used by the control group", ByteUnit.exact(group.usedBytes())));
          figures.add(
              new Figure(
                  "Limit of the control group",
                  group.limitBytes().isPresent()
                      ? ByteUnit.exact(group.limitBytes().getAsLong())
                      : "none"));
        });
    return figures;
  }

  /** Adds a bar of the owners, with the limit of the control group. */
  static void addBar(MemoryByOwner memory, FiguresPage page) {
    page.add(
        new PartBars(
            memory.parts().stream().map(part -> part.owner().title()).toList(),
            List.of(
                new PartBars.Bar(
                    "resident", memory.parts().stream().map(OwnedMemory::bytes).toList())),
            limit(memory)));
  }

  /** Adds the findings, each with the commands and settings that remedy it. */
  static void addFindings(MemoryByOwner memory, FiguresPage page) {
    if (memory.findings().isEmpty()) {
      return;
    }
    page.addHeading("Findings");
    for (MemoryFinding finding : memory.findings()) {
      page.addText(Printable.of(finding.sentence()));
      for (MemoryFinding.Remedy remedy : finding.remedies()) {
        page.addText(
            (remedy.needsRestart() ? "At the next start" : "Now")
                + (remedy.advice().isEmpty() ? "" : ", " + Printable.of(remedy.advice()))
                + ":");
        page.addLine(Printable.of(ShellLine.asStarted(remedy.setting())));
      }
    }
  }

  private static void addTables(MemoryByOwner memory, FiguresPage page) {
    page.addTable(owners(memory));
    page.addText(
        "The parts add up to the resident bytes. The rows below a part are details, which also"
            + " count bytes that are not resident or lie in another part.");
    if (memory.parts().stream().anyMatch(OwnedMemory::isEstimate)) {
      page.addText(GrowthText.ESTIMATE);
    }
    memory
        .cgroup()
        .filter(group -> group.parts().stream().anyMatch(part -> part.bytes() > 0))
        .ifPresent(group -> {
          page.addHeading("Control group");
          page.addText(
              "The control group has all processes of the container, and the page cache. Its limit"
                  + " is that of the container.");
          page.addTable(
              new FigureTable<OwnedMemory.Detail>("Control group")
                  .text("Part", OwnedMemory.Detail::name)
                  .bytes("Bytes", OwnedMemory.Detail::bytes)
                  .addAll(group.parts().stream().filter(part -> part.bytes() > 0).toList()));
        });
    if (memory.arenas().size() > 1) {
      page.addHeading("Arenas of the C library");
      page.addTable(
          new FigureTable<MallocArena>("Arenas of the C library")
              .text("Arena", arena -> "arena " + arena.number())
              .bytes("Bytes", MallocArena::bytes)
              .bytes("Free", MallocArena::freeBytes)
              .addAll(memory.arenas()));
    }
  }

  private static FigureTable<Row> owners(MemoryByOwner memory) {
    long resident = memory.residentBytes();
    FigureTable<Row> table =
        new FigureTable<Row>("Owners")
            .text("Owner", Row::name)
            .bytes("Bytes", Row::bytes)
            .number(
                "Of resident",
                row -> {
                  double share = resident == 0 ? 0 : (double) row.bytes / resident;
                  return row.isPart ? Cell.share(Numbers.percent(share), share) : Cell.none();
                });
    for (OwnedMemory part : memory.parts()) {
      String name = title(part, memory);
      table.add(new Row(name + (part.isEstimate() ? " ~" : ""), part.bytes(), true));
      part.details().stream()
          .filter(detail -> detail.bytes() > 0)
          .forEach(detail ->
              table.add(
                  new Row(part.owner().title() + ": " + detail.name(), detail.bytes(), false)));
    }
    table.add(new Row("resident", resident, true));
    return table;
  }

  private static String title(OwnedMemory part, MemoryByOwner memory) {
    return part.owner() == MemoryOwner.JAVA_HEAP && memory.collector().isPresent()
        ? part.owner().title() + " (" + memory.collector().get() + ")"
        : part.owner().title();
  }
}
