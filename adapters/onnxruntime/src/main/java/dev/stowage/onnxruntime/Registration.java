package dev.stowage.onnxruntime;

import dev.stowage.onnxruntime.capi.OnnxRuntimeApi;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;

/** The allocator that ONNX Runtime gives to new sessions. */
final class Registration {

  /*
   * A session keeps the allocator that is registered while it is created, also after another one was
   * registered in its place. So each session with an account is created while an OrtAllocator of its
   * own is registered, one at a time. ONNX Runtime then passes that OrtAllocator to each call, from
   * all of its threads.
   */

  private final OnnxRuntimeApi api;
  private final EngineCalls calls;
  private final long env;
  private final long memoryInfo;

  /** The address of the {@code OrtAllocator} for sessions without an account. */
  private final long shared;

  private final ReentrantLock lock = new ReentrantLock();
  private boolean closed;

  private Registration(
      OnnxRuntimeApi api, EngineCalls calls, long env, long memoryInfo, long shared) {
    this.api = api;
    this.calls = calls;
    this.env = env;
    this.memoryInfo = memoryInfo;
    this.shared = shared;
  }

  /** Registers the allocator for sessions without an account. */
  static Registration of(OnnxRuntimeApi api, EngineCalls calls, long env, long memoryInfo) {
    long shared = calls.newAllocator();
    api.registerAllocator(env, shared);
    return new Registration(api, calls, env, memoryInfo, shared);
  }

  /** Runs code that creates a session with an account, and {@return its result} */
  <T, X extends Throwable> T call(
      SessionAccount account, ScopedValue.CallableOp<? extends T, X> code)
      throws X, InterruptedException {
    if (lock.isHeldByCurrentThread()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "session '%s' cannot be created by the code that creates another session: create it before or after",
              account.name()));
    }
    lock.lockInterruptibly();
    try {
      if (closed) {
        throw new IllegalStateException("the allocator of " + account.name() + " is closed");
      }
      api.replaceAllocator(env, memoryInfo, calls.newAllocator(account));
      try {
        return code.call();
      } finally {
        api.replaceAllocator(env, memoryInfo, shared);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Charges further memory of a session to no account. */
  void remove(SessionAccount account) {
    calls.remove(account);
  }

  /** Removes the allocator from ONNX Runtime. */
  void close() {
    lock.lock();
    try {
      closed = true;
      // Other code may have registered its own allocator in the meantime. Before 1.23, it had to
      // remove this one first.
      if (!api.hasStatistics() || api.sharedAllocator(env, memoryInfo) == shared) {
        api.unregisterAllocator(env, memoryInfo);
      }
      api.releaseEnv(env);
    } finally {
      lock.unlock();
    }
  }
}
