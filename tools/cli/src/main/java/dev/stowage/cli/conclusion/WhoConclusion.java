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
import java.util.stream.Stream;

/** The conclusion of {@code stowage who}, whose command is the mildest remedy of a finding. */
public final class WhoConclusion {

  /** The option that names the purpose of requests to the C library. */
  private static final String TRACKING = "-XX:NativeMemoryTracking=summary";

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
            ByteUnit.sentence(memory.residentBytes())
                + " are resident; the largest part is "
                + largest.owner().title()
                + " ("
                + GrowthText.bytes(largest.bytes())
                + ")."
                + finding.map(found -> " " + found.sentence()).orElse(""),
            "The parts add up to the resident bytes that the kernel reports"
                + (memory.parts().stream().anyMatch(OwnedMemory::isEstimate)
                    ? "; those with ~ are estimates."
                    : "."),
            finding.isPresent() ? remedy(finding.get()) : growth(memory)));
  }

  /** {@return the conclusion for several moments} */
  public static Conclusion of(MemoryGrowth growth) {
    MemoryByOwner last = growth.samples().getLast().memory();
    Optional<GrowthVerdict> verdict = growth.verdicts().stream().findFirst();
    return new Conclusion(
        GrowthText.signed(growth.residentBytes().growthBytes()),
        verdict
            .map(found -> GrowthText.cause(found) + " " + found.explanation())
            .orElseGet(() -> GrowthText.nothingGrows(growth)),
        GrowthText.samples(growth)
            + (growth.samples().size() < KNOWN_COURSE
                ? "; six or more show the course of a growth."
                : "."),
        verdict.flatMap(found -> remedy(found, last)));
  }

  private static Optional<String> remedy(GrowthVerdict verdict, MemoryByOwner last) {
    return switch (verdict.cause()) {
      case NATIVE_REQUESTS, ARENAS_OR_NATIVE_CODE -> Optional.of(TRACKING);
      case FRAGMENTATION, FIRST_USE ->
          remedy(verdict, last.findings().stream().filter(finding -> finding.bytes() > 0));
      case OBJECTS, KEPT_OBJECTS, HEAP_SIZE ->
          remedy(verdict, last.findings().stream())
              .or(() ->
                  ofRunning(
                      last, ShellLine.of("who", Long.toString(last.pid()), List.of(), "--gc")));
      case LIVE_OBJECTS ->
          remedy(verdict, last.findings().stream())
              .or(() -> ofRunning(last, "jcmd " + last.pid() + " GC.heap_dump heap.hprof"));
      default -> remedy(verdict, last.findings().stream());
    };
  }

  /** {@return the first remedy of findings on the part that grows, besides samples of it} */
  private static Optional<String> remedy(GrowthVerdict verdict, Stream<MemoryFinding> findings) {
    return findings
        .filter(finding -> verdict.owners().contains(finding.owner()))
        .flatMap(finding -> finding.remedies().stream())
        .map(MemoryFinding.Remedy::setting)
        .filter(setting -> !setting.contains(" --every "))
        .findFirst()
        .map(ShellLine::asStarted);
  }

  private static Optional<String> remedy(MemoryFinding finding) {
    return finding.remedies().stream()
        .findFirst()
        .map(remedy -> ShellLine.asStarted(remedy.setting()));
  }

  /** {@return a command for a process; empty if the process has ended} */
  private static Optional<String> ofRunning(MemoryByOwner memory, String command) {
    return memory.hasEnded() ? Optional.empty() : Optional.of(command);
  }

  private static Optional<String> growth(MemoryByOwner memory) {
    return ofRunning(
        memory,
        ShellLine.of(
            "who",
            Long.toString(memory.pid()),
            List.of(),
            "--every",
            "10s",
            "--for",
            "10m",
            "--output",
            "growth.html"));
  }
}
