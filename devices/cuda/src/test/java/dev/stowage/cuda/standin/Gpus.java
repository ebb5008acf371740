package dev.stowage.cuda.standin;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The devices, and the current contexts of threads. */
final class Gpus {

  private static final long NO_CONTEXT = 0;

  private final List<Gpu> gpus;
  private final Map<Long, Long> contextsByThread = new HashMap<>();
  private boolean initialized;
  private boolean virtualMemory = true;

  Gpus(int count, long totalBytes, FailurePlan failures) {
    gpus =
        IntStream.range(0, count)
            .mapToObj(ordinal -> new Gpu(ordinal, totalBytes, failures))
            .toList();
  }

  /** Initializes the driver. */
  void initialize() {
    Result.NO_DEVICE.unless(!gpus.isEmpty());
    initialized = true;
  }

  private void checkInitialized() {
    Result.NOT_INITIALIZED.unless(initialized);
  }

  /** {@return all devices, also if the driver is not initialized} */
  List<Gpu> all() {
    return gpus;
  }

  int count() {
    checkInitialized();
    return gpus.size();
  }

  /** {@return a device by its number} */
  Gpu get(int ordinal) {
    checkInitialized();
    Result.INVALID_DEVICE.unless(ordinal >= 0 && ordinal < gpus.size());
    return gpus.get(ordinal);
  }

  /** {@return the device of a context} */
  Gpu ofContext(long context) {
    checkInitialized();
    return gpus.stream()
        .filter(gpu -> gpu.context() == context)
        .findFirst()
        .orElseThrow(Result.INVALID_CONTEXT::failure);
  }

  /** {@return true if devices have virtual memory and unified memory} */
  boolean hasVirtualMemory() {
    return virtualMemory;
  }

  void takeVirtualMemory() {
    virtualMemory = false;
  }

  // The context of a thread.

  /** {@return the context of this thread; 0 if it has none} */
  long currentContext() {
    checkInitialized();
    return contextsByThread.getOrDefault(CLibrary.thread(), NO_CONTEXT);
  }

  void setCurrentContext(long context) {
    checkInitialized();
    Result.INVALID_CONTEXT.unless(
        context == NO_CONTEXT || gpus.stream().anyMatch(gpu -> gpu.context() == context));
    contextsByThread.put(CLibrary.thread(), context);
  }

  /** {@return the number of the device whose context this thread has; -1 for none} */
  int currentOrdinal() {
    return currentContext() == NO_CONTEXT ? -1 : ofContext(currentContext()).ordinal();
  }

  /** Gives this thread the context of a device, or none for -1. */
  void setCurrentOrdinal(int ordinal) {
    setCurrentContext(ordinal == -1 ? NO_CONTEXT : get(ordinal).context());
  }

  /**
   * {@return the device of the current context}
   *
   * @throws CallFailure if the thread has no context, or one that is released
   */
  Gpu current() {
    Gpu gpu = ofContext(currentContext());
    Result.CONTEXT_IS_DESTROYED.unless(gpu.contextCount() > 0);
    return gpu;
  }
}
