package dev.stowage.trace.replay;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.trace.format.RecordedMemory;
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
    BfcOptions options = BfcOptions.growing().withFirstRegion(FIRST_REGION);
    return limitBytes.isPresent()
        ? BfcSimulation.ofRecordedDevice(options.withLimit(limitBytes.getAsLong()))
        : BfcSimulation.ofRecording(options);
  }

  @Override
  public SimulatedAllocator startWithRegion(FirstRegion region) {
    long bytes = region.bytes();
    if (region.isUsedFromHighEnd() && limitBytes.isEmpty()) {
      return BfcSimulation.ofHighEnd(
          BfcOptions.oneRegion(bytes), new RegionMirror(region.address(), bytes));
    }
    long grown = FIRST_REGION;
    while (grown < region.requestedBytes() && grown < bytes) {
      grown *= 2;
    }
    return grown == bytes || limitBytes.isPresent()
        ? start(Optional.empty())
        : BfcSimulation.ofRecording(BfcOptions.oneRegion(bytes));
  }

  /** Starts with one region if the recorded one has the limit, and grows otherwise. */
  @Override
  public Optional<SimulatedAllocator> startWith(RecordedMemory memory) {
    long held = memory.bytes();
    long limit = limitBytes.orElse(memory.limitBytes().orElse(held));
    boolean isOneRegion = memory.regions().size() == 1 && held == (limit & -256);
    BfcOptions options =
        isOneRegion
            ? BfcOptions.oneRegion(limit)
            : BfcOptions.growing()
                .withFirstRegion(memory.nextRegionBytes().orElse(FIRST_REGION))
                .withLimit(limit);
    return Optional.of(BfcSimulation.of(options, memory));
  }

  @Override
  public boolean isOriginalOfLogs() {
    return limitBytes.isEmpty();
  }
}
