package dev.stowage.fleet.worker;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The rule that an item whose worker ended runs again without any other item of this JVM, which may
 * have taken the memory that it needs.
 */
final class WorkerLocks {

  /** The tasks of a job share nothing but the static fields of their classes. */
  private static final ReadWriteLock LOCK = new ReentrantReadWriteLock(true);

  private WorkerLocks() {}

  /** {@return the lock of an item that runs beside others} */
  static Lock shared() {
    return LOCK.readLock();
  }

  /** {@return the lock of an item that runs alone} */
  static Lock exclusive() {
    return LOCK.writeLock();
  }
}
