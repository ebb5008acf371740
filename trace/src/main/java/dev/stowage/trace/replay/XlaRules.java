package dev.stowage.trace.replay;

import dev.stowage.allocator.BfcOptions;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The rules of the BFC allocator of XLA, as JAX and TensorFlow run it.
 *
 * <p>A program that preallocates has one region. Others start with 2 MiB and double. A log tells by
 * its first region; without a log, or with a limit, regions double.
 */
public final class XlaRules implements AllocatorRules {

  private static final long FIRST_REGION = 2 << 20;

  private final OptionalLong limitBytes;

  /**
   * Creates the rules.
   *
   * @param limitBytes the most bytes of all regions; empty for any number
   */
  public XlaRules(OptionalLong limitBytes) {
    this.limitBytes = limitBytes;
  }

  @Override
  public SimulatedAllocator start(Optional<PytorchRecording> recording) {
    return BfcSimulation.ofRecordedDevice(
        BfcOptions.growing()
            .withFirstRegion(FIRST_REGION)
            .withLimit(limitBytes.orElse(Long.MAX_VALUE)));
  }

  @Override
  public SimulatedAllocator startWithRegion(long bytes, long firstRequest) {
    long grown = FIRST_REGION;
    while (grown < firstRequest && grown < bytes) {
      grown *= 2;
    }
    return grown == bytes || limitBytes.isPresent()
        ? start(Optional.empty())
        : BfcSimulation.ofRecordedDevice(BfcOptions.oneRegion(bytes));
  }

  @Override
  public boolean isOriginalOfLogs() {
    return limitBytes.isEmpty();
  }
}
