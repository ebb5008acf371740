package dev.stowage.cli.conclusion;

import dev.stowage.cli.text.GrowthText;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.process.GrowthVerdict;
import dev.stowage.process.MemoryByOwner;
import dev.stowage.process.MemoryFinding;
import dev.stowage.process.MemoryGrowth;
import dev.stowage.process.OwnedMemory;
import java.util.List;
import java.util.Optional;

/** The conclusion of {@code stowage who}, whose command is the mildest remedy of a finding. */
public final class WhoConclusion {

  /** The start of remedies that are commands of this program. */
  private static final String PROGRAM = "stowage ";

  /** From this number of samples on, the course of a growth is known. */
  private static final int KNOWN_COURSE = 6;

  private WhoConclusion() {}

  /** {@return the conclusion for one moment; empty if the process has no resident memory} */
  public static Optional<Conclusion> of(MemoryByOwner memory) {
    if (memory.parts().isEmpty()) {
      return Optional.empty();
    }
    OwnedMemory largest = memory.parts().getFirst();
    Optional<MemoryFinding> finding = memory.findings().stream().findFirst();
    return Optional.of(
        new Conclusion(
            ByteUnit.human(memory.residentBytes()),
            largest.owner().title()
                + ": "
                + GrowthText.bytes(largest.bytes())
                + " of "
                + GrowthText.bytes(memory.residentBytes())
                + " resident."
                + finding.map(found -> " " + found.sentence()).orElse(""),
            "The parts add up to the resident bytes that the kernel reports."
                + (memory.parts().stream().anyMatch(OwnedMemory::isEstimate)
                    ? " The owner of some mappings is derived from their shape."
                    : ""),
            finding.map(WhoConclusion::remedy).or(() -> Optional.of(growth(memory)))));
  }

  /** {@return the conclusion for several moments} */
  public static Conclusion of(MemoryGrowth growth) {
    MemoryByOwner last = growth.samples().getLast().memory();
    Optional<GrowthVerdict> verdict = growth.verdicts().stream().findFirst();
    return new Conclusion(
        GrowthText.signed(growth.residentBytes().growthBytes()),
        verdict
            .map(found -> GrowthText.sentence(found) + " " + found.explanation())
            .orElseGet(() -> GrowthText.nothingGrows(growth)),
        GrowthText.samples(growth)
            + (growth.samples().size() < KNOWN_COURSE
                ? "; six or more show the course of a growth."
                : "."),
        verdict.flatMap(found -> remedy(found, last)));
  }

  private static Optional<String> remedy(GrowthVerdict verdict, MemoryByOwner last) {
    return last.findings().stream()
        .filter(finding -> verdict.owners().contains(finding.owner()))
        .findFirst()
        .map(WhoConclusion::remedy)
        .or(() ->
            switch (verdict.cause()) {
              case OBJECTS, KEPT_OBJECTS, HEAP_SIZE ->
                  Optional.of(ShellLine.of("who", Long.toString(last.pid()), List.of(), "--gc"));
              case LIVE_OBJECTS -> Optional.of("jcmd " + last.pid() + " GC.heap_dump heap.hprof");
              default -> Optional.empty();
            });
  }

  private static String remedy(MemoryFinding finding) {
    String setting = finding.remedies().getFirst().setting();
    return setting.startsWith(PROGRAM)
        ? ShellLine.of(List.of(setting.substring(PROGRAM.length()).split(" ", -1)))
        : setting;
  }

  private static String growth(MemoryByOwner memory) {
    return ShellLine.of(
        "who",
        Long.toString(memory.pid()),
        List.of(),
        "--every",
        "10s",
        "--for",
        "10m",
        "--output",
        "growth.html");
  }
}
