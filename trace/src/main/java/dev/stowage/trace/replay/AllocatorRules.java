package dev.stowage.trace.replay;

import dev.stowage.allocator.BfcOptions;
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
   * {@return the rules of PyTorch's caching allocator}
   *
   * <p>With a recording, an allocator starts in the state of the recorded one.
   *
   * @param settings the settings; if empty, those of the recording, or the defaults without one
   * @param limitBytes the memory of the device; empty for any amount
   */
  static AllocatorRules pytorch(Optional<PytorchSettings> settings, OptionalLong limitBytes) {
    return recording -> PytorchAllocator.start(settings, limitBytes, recording);
  }

  /**
   * {@return the rules of {@link #pytorch}, with an allocator that starts without cached memory: it
   * holds only segments with older blocks}
   *
   * <p>The segments that the recorded allocator had cached depend on its settings. Without them,
   * replays with different settings are comparable.
   *
   * @param settings the settings; if empty, those of the recording, or the defaults without one
   * @param limitBytes the memory of the device; empty for any amount
   */
  static AllocatorRules pytorchWithoutCache(
      Optional<PytorchSettings> settings, OptionalLong limitBytes) {
    return recording -> {
      PytorchAllocator allocator = PytorchAllocator.start(settings, limitBytes, recording);
      allocator.dropCache();
      return allocator;
    };
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
