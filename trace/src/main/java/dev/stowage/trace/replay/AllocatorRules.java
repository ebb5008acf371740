package dev.stowage.trace.replay;

import dev.stowage.allocator.BfcOptions;
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
   * {@return the rules of best fit with coalescing}
   *
   * @param options the options
   */
  static AllocatorRules bfc(BfcOptions options) {
    return recording -> new BfcSimulation(options);
  }

  /**
   * {@return the rules of an allocator in other runs of the same program with the same settings: if
   * something depends on chance, such as the addresses of segments, it differs}
   */
  default List<AllocatorRules> variants() {
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
