package dev.stowage.onnxruntime;

import dev.stowage.allocator.AllocationTag;
import java.util.concurrent.atomic.AtomicLong;

/** The bytes in use and the failures of one session, or of all sessions without an account. */
final class SessionAccount {

  private final String name;
  private final AllocationTag weightsTag;
  private final AllocationTag tensorsTag;
  private final RecordedFailures failures = new RecordedFailures();
  private final AtomicLong bytesInUse = new AtomicLong();
  private final AtomicLong peakBytes = new AtomicLong();

  private SessionAccount(String name, String prefix) {
    this.name = name;
    this.weightsTag = AllocationTag.of(prefix + "weights");
    this.tensorsTag = AllocationTag.of(prefix + "tensors");
  }

  /** {@return an account of no bytes} */
  static SessionAccount of(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("name must not be empty: name=''");
    }
    return new SessionAccount(name, name + "/");
  }

  /** {@return the account of all sessions without an account of their own} */
  static SessionAccount ofOthers() {
    return new SessionAccount("", "");
  }

  String name() {
    return name;
  }

  AllocationTag weightsTag() {
    return weightsTag;
  }

  AllocationTag tensorsTag() {
    return tensorsTag;
  }

  RecordedFailures failures() {
    return failures;
  }

  /** Adds bytes in use, or removes them if negative. */
  void use(long bytes) {
    peakBytes.accumulateAndGet(bytesInUse.addAndGet(bytes), Math::max);
  }

  long bytesInUse() {
    return bytesInUse.get();
  }

  long peakBytes() {
    return peakBytes.get();
  }

  /** Sets the peak to the bytes that are in use now. */
  void clearPeak() {
    peakBytes.set(bytesInUse.get());
  }
}
