package dev.stowage.cli.command;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.RunFacts.Fact;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.format.RecordedState;
import dev.stowage.trace.replay.HeldMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The facts on the memory of a replay, or of a state, on its page. */
final class MemoryFacts {

  private final ReplayReport report;
  private final String device;
  private final OptionalLong limitBytes;
  private final List<Fact> facts = new ArrayList<>();

  private MemoryFacts(ReplayReport report, String device, OptionalLong limitBytes) {
    this.report = report;
    this.device = device;
    this.limitBytes = limitBytes;
  }

  /**
   * {@return the facts}
   *
   * @param device the device of a recording
   * @param limitBytes the memory of the replayed device; empty for any amount
   */
  static List<Fact> of(ReplayReport report, String device, OptionalLong limitBytes) {
    MemoryFacts made = new MemoryFacts(report, device, limitBytes);
    if (report.details().state().isPresent()) {
      made.addState(report.details().state().get());
    } else {
      made.addReplay();
    }
    return made.facts;
  }

  private void addState(HeldMemory memory) {
    facts.add(new Fact("device", device));
    facts.add(new Fact("reserved", ByteUnit.exact(memory.reservedBytes())));
    facts.add(new Fact("in use", ByteUnit.exact(memory.inUseBytes())));
    facts.add(new Fact("released by empty_cache()", ByteUnit.exact(memory.releasableBytes())));
    facts.add(
        new Fact(
            "largest request without the driver", ByteUnit.exact(memory.largestRequestBytes())));
  }

  private void addReplay() {
    facts.add(
        new Fact(
            "device memory",
            limitBytes.isPresent() ? ByteUnit.exact(limitBytes.getAsLong()) : "not limited"));
    facts.add(new Fact("never freed", ByteUnit.exact(report.result().neverFreedBytes())));
    Optional<RecordedState> recorded = report.summary().recorded();
    if (recorded.isPresent()) {
      facts.add(new Fact("device", device));
      facts.add(
          new Fact(
              "in use before the recording",
              Numbers.count(recorded.get().olderBlocks(), "block")
                  + " with "
                  + ByteUnit.exact(recorded.get().olderBytes())));
      facts.add(
          new Fact(
              "reserved by " + report.programName() + " at the end of the recording",
              ByteUnit.exact(recorded.get().reservedBytes())));
    }
    report
        .summary()
        .peakReservedBytes()
        .ifPresent(bytes ->
            facts.add(
                new Fact(
                    "reserved by " + report.programName() + " at the peak of the recording",
                    ByteUnit.exact(bytes))));
    if (report.allocator().agreement().addresses().isPresent()) {
      facts.add(
          new Fact(
              "at the recorded address",
              Text.of(
                  "%s of %s",
                  Numbers.grouped(report.allocator().agreement().addresses().getAsLong()),
                  Numbers.count(
                      report.allocator().agreement().addressed(report.recordedAllocations()),
                      "allocation"))));
    }
  }
}
