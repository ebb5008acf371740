package dev.stowage.onnxruntime;

import java.util.Optional;
import java.util.OptionalLong;

/** The charges of allocations to runs and sessions. Guarded by the ledger's lock. */
final class RunCharges {

  /*
   * A run that is admitted has a range of its bound and allocates there first, so that free chunks
   * between the memory of other runs cannot make it fail.
   *
   * An allocation belongs to the run of the thread that asks for it, else to the only open run of the
   * session, else to the session. If the run of the thread has ended, the allocation belongs to the
   * session, because it is not part of another run.
   */

  private final HeldBytes bytes;
  private final Optional<RunRange.Source> ranges;

  RunCharges(HeldBytes bytes, Optional<RunRange.Source> ranges) {
    this.bytes = bytes;
    this.ranges = ranges;
  }

  /** An allocation in a range. */
  record InRange(long address, Charge charge) {}

  /**
   * {@return the address of bytes in the range of the run to which they belong, or empty if there
   * is no room in a range}
   *
   * @param asking the run of the thread, if it has one
   */
  Optional<InRange> allocateInRange(
      SessionAccount session, Optional<RunAccount> asking, long requestedBytes, long rounded) {
    Optional<RunAccount> run = runOf(session, asking).filter(each -> each.range().isPresent());
    if (run.isEmpty()) {
      return Optional.empty();
    }
    OptionalLong address = run.get().range().orElseThrow().allocate(requestedBytes);
    return address.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new InRange(
                address.getAsLong(), add(new Charge(session, run, rounded, run.get().range()))));
  }

  /**
   * Charges an allocation in no range, and {@return the charge}
   *
   * @param asking the run of the thread, if it has one
   */
  Charge charge(SessionAccount session, Optional<RunAccount> asking, long allocatedBytes) {
    Optional<RunAccount> run = runOf(session, asking);
    if (run.isEmpty() && session.hasOpenRun()) {
      session.countUnattributed();
    }
    return add(new Charge(session, run, allocatedBytes, Optional.empty()));
  }

  private static Optional<RunAccount> runOf(SessionAccount session, Optional<RunAccount> asking) {
    Optional<RunAccount> own =
        asking.filter(run -> !run.isWaiting() && run.session().equals(session));
    return own.isEmpty() ? session.onlyOpenRun() : own.filter(RunAccount::isOpen);
  }

  private Charge add(Charge charge) {
    bytes.use(charge.session(), charge.bytes());
    bytes.change(charge.session(), () -> use(charge, charge.bytes()));
    return charge;
  }

  /** Reverses the charge of an allocation that is freed. */
  void remove(Charge charge) {
    bytes.use(charge.session(), -charge.bytes());
    bytes.change(charge.session(), () -> use(charge, -charge.bytes()));
    charge.run().filter(run -> !run.isOpen()).ifPresent(this::removeIfUnused);
  }

  private static void use(Charge charge, long used) {
    SessionAccount session = charge.session();
    Optional<RunAccount> charged = charge.run().filter(session.openRuns()::contains);
    if (charged.isEmpty()) {
      keep(session, charge.run(), used);
      return;
    }
    RunAccount run = charged.get();
    boolean wasOverrun = run.isOverrun();
    long before = run.chargedBytes();
    run.use(used, charge.range().isPresent());
    session.charge(run.chargedBytes() - before);
    if (run.isOverrun() && !wasOverrun) {
      session.countOverrun();
    }
  }

  private static void keep(SessionAccount session, Optional<RunAccount> run, long kept) {
    if (run.filter(each -> !each.needsRange()).isPresent()) {
      session.keepLoaded(kept);
    } else {
      session.keep(kept);
    }
  }

  /**
   * Removes the charge of a run that has ended, unless bytes in its range are in use. The session
   * keeps other bytes in use.
   */
  void removeIfUnused(RunAccount run) {
    SessionAccount session = run.session();
    if (run.isRangeUsed() || !session.openRuns().remove(run)) {
      return;
    }
    bytes.change(
        session,
        () -> {
          session.charge(-run.chargedBytes());
          keep(session, Optional.of(run), run.usedBytes());
        });
    run.range()
        .ifPresent(range -> {
          run.removeRange();
          ranges.orElseThrow().release(range);
        });
  }
}
