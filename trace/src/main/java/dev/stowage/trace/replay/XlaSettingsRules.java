package dev.stowage.trace.replay;

import dev.stowage.allocator.BfcOptions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The rules of XLA's BFC allocator, with settings in place of the recorded ones. */
final class XlaSettingsRules implements AllocatorRules {

  private final boolean preallocates;
  private final OptionalLong limitBytes;

  /**
   * Creates the rules.
   *
   * @param preallocates true for one region of the limit
   * @param limitBytes the most bytes of all regions; empty for any number, if the allocator does
   *     not preallocate
   */
  XlaSettingsRules(boolean preallocates, OptionalLong limitBytes) {
    this.preallocates = preallocates;
    this.limitBytes = limitBytes;
  }

  /** A region that the recording also has lies at its recorded address. */
  @Override
  public SimulatedAllocator start(Optional<PytorchRecording> recording) {
    return BfcSimulation.ofRecordedDevice(
        preallocates
            ? BfcOptions.oneRegion(limitBytes.orElseThrow())
            : BfcOptions.growing()
                .withFirstRegion(XlaRules.FIRST_REGION)
                .withLimit(limitBytes.orElse(Long.MAX_VALUE)));
  }

  /** Chunks of one region need no addresses of a device. */
  @Override
  public List<String> doubts(Optional<PytorchRecording> recording) {
    return preallocates ? List.of() : List.of(XlaRules.EQUAL_CHUNKS);
  }
}
