package dev.stowage.onnxruntime;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.MemoryAccount;
import java.util.concurrent.atomic.AtomicLong;

/** The bytes in use and the failures of one session, or of all sessions without an account. */
final class SessionAccount {

  private final String name;
  private final AllocationTag weightsTag;
  private final AllocationTag tensorsTag;

  /** The charges that the program declares. */
  private final MemoryAccount charged;

  private final RecordedFailures failures = new RecordedFailures();
  private final AtomicLong bytesInUse = new AtomicLong();
  private final AtomicLong peakBytes = new AtomicLong();

  private SessionAccount(String name, String prefix, MemoryAccount charged) {
    this.name = name;
    this.charged = charged;
    this.weightsTag = AllocationTag.of(prefix + "weights");
    this.tensorsTag = AllocationTag.of(prefix + "tensors");
  }

  /** {@return an account with no bytes in use} */
  static SessionAccount of(String name, MemoryAccount charged) {
    return new SessionAccount(name, name + "/", charged);
  }

  /** {@return the account of all sessions without an account of their own} */
  static SessionAccount ofOthers(MemoryAccount charged) {
    return new SessionAccount("", "", charged);
  }

  MemoryAccount charged() {
    return charged;
  }

  /** {@return the account as a report} */
  OnnxRuntimeReport.SessionUsage usage() {
    return new OnnxRuntimeReport.SessionUsage(
        name, bytesInUse(), peakBytes(), failures.refusals(), charged.level());
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
