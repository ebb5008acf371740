package dev.stowage.cli.conclusion;

import dev.stowage.cli.text.GrowthText;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Text;
import dev.stowage.process.GrowthCause;
import dev.stowage.process.GrowthVerdict;
import dev.stowage.process.MemoryByOwner;
import dev.stowage.process.MemoryFinding;
import dev.stowage.process.MemoryGrowth;
import dev.stowage.process.OwnedMemory;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The conclusion of {@code stowage who}. Its command is the mildest remedy of a finding. */
public final class WhoConclusion {

  /** The option that names the purpose of requests to the C library. */
  private static final String TRACKING = "-XX:NativeMemoryTracking=summary";

  /** From this number of samples on, the course of a growth is known. */
  private static final int KNOWN_COURSE = 6;

  private WhoConclusion() {}

  /** {@return the conclusion for one moment} */
  public static Conclusion of(MemoryByOwner memory) {
    Optional<MemoryFinding> finding = memory.findings().stream().findFirst();
    return new Conclusion(
        ByteUnit.human(memory.residentBytes()),
        ByteUnit.sentence(memory.residentBytes())
            + " are resident"
            + memory.parts().stream()
                .findFirst()
                .map(part ->
                    Text.of(
                        "; the largest part is %s (%s)",
                        part.owner().title(), GrowthText.bytes(part.bytes())))
                .orElse("")
            + "."
            + finding.map(found -> " " + found.sentence()).orElse(""),
        "The parts add up to the resident bytes that the kernel reports"
            + (memory.parts().stream().anyMatch(OwnedMemory::isEstimate)
                ? "; those with ~ are estimates."
                : "."),
        finding.isPresent() ? settings(finding.stream()).findFirst() : growth(memory));
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
    String pid = Long.toString(last.pid());
    GrowthCause cause = verdict.cause();
    boolean isFreeMemory = cause == GrowthCause.FRAGMENTATION || cause == GrowthCause.FIRST_USE;
    Optional<String> known =
        settings(
                last.findings().stream()
                    .filter(finding -> verdict.owners().contains(finding.owner()))
                    .filter(finding -> !isFreeMemory || finding.bytes() > 0))
            .filter(setting -> !setting.contains(" --every ")) // these are samples
            .findFirst();
    return switch (cause) {
      case NATIVE_REQUESTS, ARENAS_OR_NATIVE_CODE -> Optional.of(TRACKING);
      case OBJECTS, KEPT_OBJECTS, HEAP_SIZE ->
          known.or(() -> ofRunning(last, ShellLine.of("who", pid, List.of(), "--gc")));
      case LIVE_OBJECTS ->
          known.or(() -> ofRunning(last, "jcmd " + pid + " GC.heap_dump heap.hprof"));
      default -> known;
    };
  }

  private static Stream<String> settings(Stream<MemoryFinding> findings) {
    return findings
        .flatMap(finding -> finding.remedies().stream())
        .map(remedy -> ShellLine.asStarted(remedy.setting()));
  }

  /** {@return a command for a process; empty if the process has ended} */
  private static Optional<String> ofRunning(MemoryByOwner memory, String command) {
    return memory.hasEnded() ? Optional.empty() : Optional.of(command);
  }

  private static Optional<String> growth(MemoryByOwner memory) {
    List<String> options = List.of("--every", "10s", "--for", "10m", "--output", "growth.html");
    return ofRunning(memory, ShellLine.of("who", Long.toString(memory.pid()), options));
  }
}
