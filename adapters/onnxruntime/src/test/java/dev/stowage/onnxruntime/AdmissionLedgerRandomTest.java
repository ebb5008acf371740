package dev.stowage.onnxruntime;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.testing.Seeds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random histories of sessions, requests and allocations, compared with a naive model. */
class AdmissionLedgerRandomTest {

  private static final int STEPS = 200;

  private final Map<String, SessionAccount> sessions = new LinkedHashMap<>();
  private final Map<Integer, RunAccount> runs = new TreeMap<>();
  private final Map<Integer, Charge> charges = new TreeMap<>();
  private int ids;

  static LongStream seeds() {
    return Seeds.of(200);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyHistory_agreesWithTheModel(long seed) {
    Random random = new Random(seed);
    long capacity = 1L + random.nextInt(200);
    AdmissionLedger ledger = new AdmissionLedger(capacity, Optional.empty());
    NaiveAdmission model = new NaiveAdmission(capacity);
    sessions.put("", ledger.otherSessions());
    int largest = 1 + random.nextInt((int) capacity + 10);
    int overrunRate = random.nextInt(3);
    for (int step = 0; step < STEPS; step++) {
      switch (random.nextInt(10)) {
        case 0 -> openOrCloseSession(random, ledger, model, capacity);
        case 1, 2, 3 -> request(random, ledger, model, largest);
        case 4, 5 -> endRun(random, ledger, model);
        case 6, 7 -> allocate(random, ledger, model, overrunRate);
        default -> free(random, ledger, model);
      }
      compare(ledger, model);
    }
  }

  private SessionAccount session(String name) {
    return requireNonNull(sessions.get(name));
  }

  private void openOrCloseSession(
      Random random, AdmissionLedger ledger, NaiveAdmission model, long capacity) {
    String name = "s" + random.nextInt(4);
    if (!sessions.containsKey(name)) {
      long reserved = random.nextBoolean() ? 0 : random.nextLong(capacity + 1);
      long limit = random.nextBoolean() ? Long.MAX_VALUE : reserved + random.nextLong(capacity);
      SessionAccount session =
          SessionAccount.of(
              name, SessionLimits.none().withLimit(limit).withReservation(reserved), 100);
      if (model.total("none") + reserved > capacity && reserved > 0) {
        assertThatThrownBy(() -> ledger.open(session)).isInstanceOf(AdmissionException.class);
        return;
      }
      ledger.open(session);
      sessions.put(name, session);
      model.sessions.put(name, new NaiveAdmission.Session(reserved, limit));
      model.admitWaiting();
      return;
    }
    boolean isBusy =
        model.used(name) > 0 || model.runs.stream().anyMatch(run -> run.session.equals(name));
    SessionAccount session = session(name);
    if (isBusy) {
      assertThatThrownBy(() -> ledger.close(session)).isInstanceOf(IllegalStateException.class);
    } else {
      assertThat(ledger.close(session)).isTrue();
      sessions.remove(name);
      model.sessions.remove(name);
      model.overruns.remove(name); // the next session of that name is another one
      model.admitWaiting();
    }
  }

  private void request(Random random, AdmissionLedger ledger, NaiveAdmission model, int largest) {
    List<String> names = new ArrayList<>(sessions.keySet());
    String name = names.get(random.nextInt(names.size()));
    if (name.isEmpty()) {
      return;
    }
    long bound = 1L + random.nextInt(largest);
    if (model.isImpossible(name, bound)) {
      assertThatThrownBy(() -> ledger.request(session(name), bound, true, () -> {}))
          .isInstanceOfSatisfying(
              AdmissionException.class, rejected -> assertThat(rejected.isPermanent()).isTrue());
      return;
    }
    int id = ids++;
    List<Integer> woken = new ArrayList<>();
    boolean isLoading = random.nextInt(3) == 0;
    RunAccount run = ledger.request(session(name), bound, !isLoading, () -> woken.add(id));
    runs.put(id, run);
    model.runs.add(new NaiveAdmission.Run(id, name, bound, isLoading));
    model.admitWaiting();
    assertThat(woken).hasSize(run.isOpen() ? 1 : 0);
  }

  private void endRun(Random random, AdmissionLedger ledger, NaiveAdmission model) {
    if (runs.isEmpty()) {
      return;
    }
    List<Integer> known = new ArrayList<>(runs.keySet());
    int id = known.get(random.nextInt(known.size()));
    RunAccount run = requireNonNull(runs.remove(id));
    if (run.isOpen()) {
      ledger.close(run, random.nextBoolean());
      ledger.close(run, true); // has no effect
    } else if (random.nextBoolean()) {
      assertThat(ledger.withdraw(run)).isTrue();
      assertThat(ledger.withdraw(run)).isFalse();
    } else {
      assertThat(ledger.reject(run, "PT1S").orElseThrow().isPermanent()).isFalse();
      assertThat(ledger.reject(run, "PT1S")).isEmpty();
    }
    model.end(id);
  }

  private void allocate(
      Random random, AdmissionLedger ledger, NaiveAdmission model, int overrunRate) {
    List<String> names = new ArrayList<>(sessions.keySet());
    String name = names.get(random.nextInt(names.size()));
    List<Integer> known = new ArrayList<>(runs.keySet());
    int asking =
        known.isEmpty() || random.nextInt(4) == 0 ? -1 : known.get(random.nextInt(known.size()));
    long room = 1L + random.nextInt(20);
    long bytes = overrunRate == 0 ? 1 + random.nextInt(3) : room;
    int id = ids++;
    charges.put(id, ledger.allocated(session(name), Optional.ofNullable(runs.get(asking)), bytes));
    model.allocate(id, name, asking, bytes);
  }

  private void free(Random random, AdmissionLedger ledger, NaiveAdmission model) {
    if (charges.isEmpty()) {
      return;
    }
    List<Integer> known = new ArrayList<>(charges.keySet());
    int id = known.get(random.nextInt(known.size()));
    ledger.free(0, requireNonNull(charges.remove(id)));
    model.held.removeIf(each -> each.id() == id);
    model.admitWaiting();
  }

  private void compare(AdmissionLedger ledger, NaiveAdmission model) {
    ledger.checkInvariants();
    assertThat(ledger.heldBytes()).isEqualTo(model.total("none"));
    for (int id : model.rejected) {
      RunAccount run = requireNonNull(runs.remove(id));
      assertThat(run.obstacle()).isPresent();
      assertThat(run.isOpen()).isFalse();
      assertThat(run.session().waiting()).doesNotContain(run);
      assertThat(ledger.withdraw(run)).isFalse();
    }
    model.rejected.clear();
    for (NaiveAdmission.Run expected : model.runs) {
      RunAccount run = requireNonNull(runs.get(expected.id));
      assertThat(run.isOpen()).as("run %d", expected.id).isEqualTo(expected.open);
      assertThat(run.isWaiting()).isNotEqualTo(expected.open);
      assertThat(run.usedBytes()).isEqualTo(model.used(expected));
      assertThat(run.peakBytes()).isEqualTo(expected.peak);
    }
    sessions.forEach((name, session) -> {
      assertThat(session.bytesInUse()).isEqualTo(model.used(name));
      assertThat(session.chargedBytes()).isEqualTo(model.charged(name));
      assertThat(session.loadedBytes()).isEqualTo(model.loaded(name));
    });
    long overruns = sessions.values().stream().mapToLong(s -> s.usage().runs().overruns()).sum();
    assertThat(overruns)
        .isEqualTo(
            sessions.keySet().stream()
                .mapToLong(name -> model.overruns.getOrDefault(name, 0))
                .sum());
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void runsWithinTheirBounds_neverExceedTheCapacity(long seed) {
    Random random = new Random(seed);
    long capacity = 50L + random.nextInt(200);
    AdmissionLedger ledger = new AdmissionLedger(capacity, Optional.empty());
    List<SessionAccount> opened = new ArrayList<>();
    for (int index = 0; index <= random.nextInt(3); index++) {
      SessionAccount session =
          SessionAccount.of(
              "s" + index, SessionLimits.none().withReservation(random.nextInt(15)), 100);
      ledger.open(session);
      opened.add(session);
    }
    List<RunAccount> asked = new ArrayList<>();
    List<Charge> held = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      int which = random.nextInt(8);
      if (which < 2) {
        SessionAccount session = opened.get(random.nextInt(opened.size()));
        asked.add(ledger.request(session, 1 + random.nextInt(20), true, () -> {}));
      } else if (which < 6) {
        allocateWithinBound(random, ledger, asked, held);
      } else if (which == 6 && !held.isEmpty()) {
        ledger.free(0, held.remove(random.nextInt(held.size())));
      } else if (!asked.isEmpty()) {
        RunAccount run = asked.get(random.nextInt(asked.size()));
        if (run.isOpen()) {
          ledger.close(run, true);
          asked.remove(run);
        }
      }
      assertThat(ledger.bytesInUse()).isLessThanOrEqualTo(ledger.heldBytes());
      assertThat(ledger.heldBytes()).isLessThanOrEqualTo(capacity);
    }
  }

  private static void allocateWithinBound(
      Random random, AdmissionLedger ledger, List<RunAccount> asked, List<Charge> held) {
    List<RunAccount> open =
        asked.stream().filter(run -> run.isOpen() && run.usedBytes() < run.boundBytes()).toList();
    if (!open.isEmpty()) {
      RunAccount run = open.get(random.nextInt(open.size()));
      long bytes = 1 + random.nextLong(run.boundBytes() - run.usedBytes());
      held.add(ledger.allocated(run.session(), Optional.of(run), bytes));
    }
  }
}
