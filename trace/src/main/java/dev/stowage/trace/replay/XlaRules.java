package dev.stowage.trace.replay;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.trace.format.RecordedMemory;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The rules of the BFC allocator of XLA, as JAX and TensorFlow run it.
 *
 * <p>A program that preallocates has one region. Others start with 2 MiB and double. The first
 * region of a log shows which; without a log, regions double.
 */
public final class XlaRules implements AllocatorRules {

  /** The bytes of the first region, unless the first request needs more. */
  static final long FIRST_REGION = 2 << 20;

  /** The reason why a replay with several regions of unknown addresses is not exact. */
  static final String EQUAL_CHUNKS =
      "Of equal chunks, the allocator takes the one at the lowest address, and the addresses of"
          + " regions differ between runs.";

  private static final long UNIT = 256;

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
    if (region.spaces().areTwo() && limitBytes.isEmpty()) {
      return BfcSimulation.ofPool(BfcOptions.oneRegion(bytes), region);
    }
    if (isGrown(region)) {
      return start(Optional.empty());
    }
    return limitBytes.isPresent()
        ? BfcSimulation.ofRecordedDevice(BfcOptions.oneRegion(limitBytes.getAsLong()))
        : BfcSimulation.ofPool(BfcOptions.oneRegion(bytes), region);
  }

  private static boolean isGrown(FirstRegion region) {
    long grown = FIRST_REGION;
    while (grown < region.requestedBytes() && grown < region.bytes()) {
      grown *= 2;
    }
    return grown == region.bytes();
  }

  /**
   * Starts with one region if the recorded one has the recorded limit, and grows otherwise. With a
   * higher limit, the end of the one region has more free bytes.
   */
  @Override
  public Optional<SimulatedAllocator> startWith(RecordedMemory memory) {
    long held = memory.bytes();
    long recordedLimit = memory.limitBytes().orElse(held);
    long limit = limitBytes.orElse(recordedLimit);
    if (memory.regions().size() == 1 && held == (recordedLimit & -UNIT)) {
      RecordedMemory.Region region = memory.regions().getFirst();
      long bytes = Math.max(held, limit & -UNIT);
      return Optional.of(
          BfcSimulation.of(
              BfcOptions.oneRegion(Math.max(limit, held)),
              List.of(new RecordedMemory.Region(region.address(), bytes, region.chunks())),
              memory.doubts()));
    }
    BfcOptions options =
        BfcOptions.growing()
            .withFirstRegion(memory.nextRegionBytes().orElse(FIRST_REGION))
            .withLimit(limit);
    return Optional.of(BfcSimulation.of(options, memory.regions(), memory.doubts()));
  }

  @Override
  public boolean isOriginalOfLogs() {
    return limitBytes.isEmpty();
  }
}
