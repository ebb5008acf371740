package dev.stowage.onnxruntime;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The rules of admission in their plainest form: every sum is computed from lists each time. */
final class NaiveAdmission {

  /** A request, admitted or not. */
  static final class Run {
    final int id;
    final String session;
    final long bound;
    final boolean isLoading;
    boolean open;
    long peak;

    Run(int id, String session, long bound, boolean isLoading) {
      this.isLoading = isLoading;
      this.id = id;
      this.session = session;
      this.bound = bound;
    }
  }

  /** An allocation; run is -1 if no run is charged. */
  record Held(int id, String session, int run, long bytes) {}

  record Session(long reserved, long limit) {}

  private final long capacity;
  final Map<String, Session> sessions = new LinkedHashMap<>();

  /** Requests that wait or are open, in the order of arrival. */
  final List<Run> runs = new ArrayList<>();

  /** The loadings that have ended. */
  final Set<Integer> loadings = new HashSet<>();

  /** The requests that were rejected while they waited. */
  final Set<Integer> rejected = new HashSet<>();

  final List<Held> held = new ArrayList<>();
  final Map<String, Integer> overruns = new LinkedHashMap<>();

  NaiveAdmission(long capacity) {
    this.capacity = capacity;
    sessions.put("", new Session(0, Long.MAX_VALUE));
  }

  /** {@return the run with a number, if it is waiting or open} */
  List<Run> run(int id) {
    return runs.stream().filter(run -> run.id == id).toList();
  }

  long used(Run run) {
    return held.stream().filter(each -> each.run() == run.id).mapToLong(Held::bytes).sum();
  }

  long used(String session) {
    return held.stream()
        .filter(each -> each.session().equals(session))
        .mapToLong(Held::bytes)
        .sum();
  }

  long charged(String session) {
    long sum = 0;
    for (Held each : held) {
      boolean isOfOpenRun = run(each.run()).stream().anyMatch(run -> run.open);
      sum += each.session().equals(session) && !isOfOpenRun ? each.bytes() : 0;
    }
    for (Run run : runs) {
      sum += run.open && run.session.equals(session) ? Math.max(run.bound, used(run)) : 0;
    }
    return sum;
  }

  long total(String without) {
    long sum = 0;
    for (Map.Entry<String, Session> session : sessions.entrySet()) {
      sum +=
          session.getKey().equals(without)
              ? 0
              : Math.max(session.getValue().reserved(), charged(session.getKey()));
    }
    return sum;
  }

  /** {@return the bytes that stay in use after all runs have ended} */
  long loaded(String session) {
    return held.stream()
        .filter(each -> each.session().equals(session) && loadings.contains(each.run()))
        .mapToLong(Held::bytes)
        .sum();
  }

  /** {@return true if a request does not even pass if all runs have ended} */
  boolean isImpossible(String name, long bound) {
    long without = 0;
    for (Map.Entry<String, Session> other : sessions.entrySet()) {
      if (!other.getKey().equals(name)) {
        without += Math.max(other.getValue().reserved(), loaded(other.getKey()));
      }
    }
    long alone = loaded(name) + bound;
    return alone > Objects.requireNonNull(sessions.get(name)).limit() || without + alone > capacity;
  }

  /** Admits requests in the order of arrival, and rejects impossible ones that are not blocked. */
  void admitWaiting() {
    Set<String> blocked = new HashSet<>();
    boolean capacityIsBlocked = false;
    for (Run run : List.copyOf(runs)) {
      if (run.open || blocked.contains(run.session)) {
        continue;
      }
      Session session = Objects.requireNonNull(sessions.get(run.session));
      long after = charged(run.session) + run.bound;
      boolean takesReservationOnly = after <= session.reserved();
      boolean fits =
          after <= session.reserved()
              || total(run.session) + Math.max(session.reserved(), after) <= capacity;
      boolean isWithinLimit = after <= session.limit();
      if (isWithinLimit && (takesReservationOnly || (fits && !capacityIsBlocked))) {
        run.open = true;
      } else if (isImpossible(run.session, run.bound)) {
        runs.remove(run);
        rejected.add(run.id);
      } else if (!isWithinLimit) {
        blocked.add(run.session);
      } else {
        capacityIsBlocked = true;
        blocked.add(run.session);
      }
    }
  }

  /** Adds an allocation that a thread makes for a run, or for none if it is -1. */
  void allocate(int id, String session, int asking, long bytes) {
    List<Run> open = runs.stream().filter(run -> run.open && run.session.equals(session)).toList();
    List<Run> chosen = new ArrayList<>(open);
    chosen.removeIf(run -> run.id != asking);
    if (chosen.isEmpty() && open.size() == 1) {
      chosen.add(open.getFirst());
    }
    held.add(new Held(id, session, chosen.isEmpty() ? -1 : chosen.getFirst().id, bytes));
    for (Run run : chosen) {
      boolean wasWithin = run.peak <= run.bound;
      run.peak = Math.max(run.peak, used(run));
      if (wasWithin && run.peak > run.bound) {
        overruns.merge(session, 1, Integer::sum);
      }
    }
  }

  /** Ends a run or its wait; its allocations stay, and belong to the session. */
  void end(int id) {
    run(id).stream().filter(run -> run.isLoading && run.open).forEach(_ -> loadings.add(id));
    runs.removeIf(run -> run.id == id);
    admitWaiting();
  }
}
