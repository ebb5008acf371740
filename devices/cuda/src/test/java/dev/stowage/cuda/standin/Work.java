package dev.stowage.cuda.standin;

import java.lang.foreign.MemorySegment;

/** Work that is queued in a stream. */
sealed interface Work {

  /** Work that accesses memory. */
  sealed interface Access extends Work {

    long bytes();

    /** {@return true if all the memory can be accessed} */
    boolean canRun();

    /** Runs work that can run. */
    void run();
  }

  /** A copy. */
  record Copy(Place source, Place target, long bytes) implements Access {

    @Override
    public boolean canRun() {
      return source.canAccess(bytes) && target.canAccess(bytes);
    }

    @Override
    public void run() {
      long done = 0;
      while (done < bytes) {
        MemorySegment from = source.part(done, bytes - done);
        MemorySegment to = target.part(done, from.byteSize());
        to.copyFrom(from.asSlice(0, to.byteSize()));
        done += to.byteSize();
      }
    }
  }

  /** A fill. */
  record Fill(Place target, byte value, long bytes) implements Access {

    @Override
    public boolean canRun() {
      return target.canAccess(bytes);
    }

    @Override
    public void run() {
      long done = 0;
      while (done < bytes) {
        done += target.part(done, bytes - done).fill(value).byteSize();
      }
    }
  }

  /** A record of an event. */
  record EventRecord(WorkEvent event, long number) implements Work {}

  /** A wait for a record of an event. */
  record EventWait(WorkEvent event, long number) implements Work {}
}
