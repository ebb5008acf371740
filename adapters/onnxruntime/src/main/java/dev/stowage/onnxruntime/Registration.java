package dev.stowage.onnxruntime;

import dev.stowage.onnxruntime.capi.OnnxRuntimeApi;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** The allocator that ONNX Runtime gives to new sessions. */
final class Registration {

  /*
   * A session keeps the allocator that was registered at its creation, even if another one takes
   * its place later. So the sessions with accounts are created one at a time, each with an
   * OrtAllocator of its own. ONNX Runtime then passes that OrtAllocator to each call, from all of
   * its threads.
   *
   * Before ONNX Runtime 1.23, the registered allocator cannot be replaced: it is removed first.
   */

  private final OnnxRuntimeApi api;
  private final EngineCalls calls;
  private final long env;
  private final long memoryInfo;

  /** The address of the {@code OrtAllocator} for sessions without an account. */
  private final long shared;

  private final ReentrantLock lock = new ReentrantLock();

  /** False between the removal of an allocator and the next registration; guarded by the lock. */
  private boolean isRegistered = true;

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
      return register(account, code);
    } finally {
      lock.unlock();
    }
  }

  private <T, X extends Throwable> T register(
      SessionAccount account, ScopedValue.CallableOp<? extends T, X> code) throws X {
    T session;
    try {
      replaceBy(calls.newAllocator(account));
      session = code.call();
    } catch (Throwable failure) {
      restore(account).ifPresent(failure::addSuppressed);
      throw failure;
    }
    restore(account).ifPresent(account.failures()::record);
    return session;
  }

  private void replaceBy(long allocator) {
    if (!api.hasStatistics()) {
      removeIfRegistered();
    }
    api.registerAllocator(env, allocator);
    isRegistered = true;
  }

  private void removeIfRegistered() {
    isRegistered = false;
    try {
      api.unregisterAllocator(env, memoryInfo);
    } catch (IllegalStateException _) {
      // No allocator may be registered, or the next registration fails.
    }
  }

  /** Registers the shared allocator and {@return the failure, if it fails} */
  private Optional<IllegalStateException> restore(SessionAccount account) {
    try {
      replaceBy(shared);
      return Optional.empty();
    } catch (IllegalStateException failure) {
      return Optional.of(
          new IllegalStateException(
              String.format(
                  Locale.ROOT,
                  "after the creation of session '%s', the allocator was not registered again: further sessions get arenas of ONNX Runtime; load a session to register it again",
                  account.name()),
              failure));
    }
  }

  /** Charges later memory of a session to no account. */
  void remove(SessionAccount account) {
    calls.remove(account);
  }

  /**
   * Removes the allocator from ONNX Runtime. A second call has no effect.
   *
   * @throws IllegalStateException if ONNX Runtime does not remove it, and so gives it to new
   *     sessions
   */
  void close() {
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        end();
      }
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    try {
      // Other code may have registered its own allocator in the meantime. Before 1.23, it had to
      // remove this one first.
      boolean isOurs =
          api.hasStatistics() ? api.sharedAllocator(env, memoryInfo) == shared : isRegistered;
      if (isOurs) {
        api.unregisterAllocator(env, memoryInfo);
      }
    } finally {
      api.releaseEnv(env);
    }
  }
}
