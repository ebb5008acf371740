package dev.stowage.trace.replay;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.trace.format.RecordedMemory;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The rules of an allocator, with its settings, for any number of replays. */
@FunctionalInterface
public interface AllocatorRules {

  /**
   * {@return an allocator before the first event of a history}
   *
   * @param recording the recording of the history, if the trace is a snapshot of PyTorch
   */
  SimulatedAllocator start(Optional<PytorchRecording> recording);

  /**
   * {@return an allocator before the first event of a log that has its regions}
   *
   * @param region the first region
   */
  default SimulatedAllocator startWithRegion(FirstRegion region) {
    return start(Optional.empty());
  }

  /**
   * {@return an allocator that starts with recorded memory; empty if the rules cannot take it over}
   *
   * @param memory the memory before the first event
   */
  default Optional<SimulatedAllocator> startWith(RecordedMemory memory) {
    return Optional.empty();
  }

  /** {@return true if allocators with these rules write logs with regions and reports} */
  default boolean isOriginalOfLogs() {
    return false;
  }

  /**
   * {@return the rules of best fit with coalescing}
   *
   * @param options the options
   */
  static AllocatorRules bfc(BfcOptions options) {
    return recording -> new BfcSimulation(options);
  }

  /**
   * {@return the rules of the allocator that made a recording, with its settings; empty if it has
   * other rules}
   */
  default Optional<AllocatorRules> original(PytorchRecording recording) {
    return Optional.empty();
  }

  /** {@return true if the allocator that made a recording had these rules and settings} */
  default boolean isOriginal(PytorchRecording recording) {
    return false;
  }

  /**
   * {@return the rules in other plausible runs of the same program: chance decides otherwise in
   * them}
   *
   * @param hasAddresses true if the addresses of new segments differ
   * @param hasCompletions true if the moments at which waiting frees are completed differ
   */
  default List<AllocatorRules> variants(boolean hasAddresses, boolean hasCompletions) {
    return List.of();
  }

  /**
   * {@return sentences on the data that a trace lacks for an exact replay}
   *
   * @param recording the recording, if the trace is a snapshot of PyTorch
   */
  default List<String> doubts(Optional<PytorchRecording> recording) {
    return List.of();
  }

  /**
   * {@return the rules of the pool of RAPIDS Memory Manager}
   *
   * @param initialBytes the bytes with which the pool starts; a multiple of 256
   * @param limitBytes the most bytes of the pool; empty for any number
   */
  static AllocatorRules rmm(long initialBytes, OptionalLong limitBytes) {
    return recording -> new RmmPool(initialBytes, limitBytes);
  }
}
