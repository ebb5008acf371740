package dev.stowage.plan.search.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.cases.RandomRecords;
import java.util.Arrays;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The members of objects, compared with an array of the object of each record. */
class ObjectMembersRandomTest {

  static LongStream seeds() {
    return RandomRecords.seeds(300);
  }

  private static long largest(ObjectRecords records, int[] objectIds, int object) {
    return IntStream.range(0, records.count())
        .filter(i -> objectIds[i] == object)
        .mapToLong(i -> records.bytes()[i])
        .max()
        .orElse(0);
  }

  private static boolean share(ObjectRecords records, int a, int b) {
    return records.firstRanks()[a] <= records.lastRanks()[b]
        && records.firstRanks()[b] <= records.lastRanks()[a];
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void objectMembers_anyChanges_agreeWithAnArray(long seed) {
    RandomRecords regime = new RandomRecords(seed);
    Random random = regime.random();
    ObjectRecords records = ObjectRecords.of(PlanProblem.of(regime.unsorted()));
    int count = records.count();
    int[] objectIds = IntStream.range(0, count).toArray();
    ObjectMembers members = new ObjectMembers(records, objectIds, count);
    int[] model = objectIds.clone();
    int[] kept = objectIds.clone();
    for (int step = 0; step < 100 && count > 0; step++) {
      int record = random.nextInt(count);
      int object = random.nextInt(count);
      TreeSet<Integer> conflicting = new TreeSet<>();
      for (int i = 0; i < count; i++) {
        if (model[i] == object && share(records, i, record)) {
          conflicting.add(i);
        }
      }
      int[] ones = new int[count];
      Arrays.fill(ones, 1);
      assertThat(members.penaltyOfConflicts(record, object, ones, Long.MAX_VALUE))
          .isEqualTo(conflicting.size());
      assertThat(members.conflict(record, object))
          .isEqualTo(conflicting.isEmpty() ? ObjectMembers.NONE : conflicting.first());
      if (model[record] == ObjectMembers.NONE && conflicting.isEmpty()) {
        members.add(record, object);
        model[record] = object;
      } else if (model[record] != ObjectMembers.NONE) {
        members.remove(record);
        model[record] = ObjectMembers.NONE;
      }
      int ending = random.nextInt(20);
      if (ending == 0) {
        members.commit();
        kept = model.clone();
      } else if (ending == 1) {
        members.rollBack();
        model = kept.clone();
      }
      members.checkInvariants();
      assertThat(members.objectIds()).containsExactly(model);
      assertThat(members.bytes(object)).isEqualTo(largest(records, model, object));
    }
  }
}
