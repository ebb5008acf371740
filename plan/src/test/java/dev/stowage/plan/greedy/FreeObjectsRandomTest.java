package dev.stowage.plan.greedy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.cases.NaivePlanners;
import dev.stowage.plan.cases.RandomRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The nearest free object, compared with a search of all records of all objects. */
class FreeObjectsRandomTest {

  static LongStream seeds() {
    return RandomRecords.seeds(200);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void nearest_anyRecords_isThatOfAllRecords(long seed) {
    RandomRecords regime = new RandomRecords(seed);
    List<TensorUsageRecord> records = regime.unsorted();
    FreeObjects objects = new FreeObjects(records);
    List<List<TensorUsageRecord>> model = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      TensorUsageRecord record = records.get(i);
      int excluded = regime.random().nextInt(model.size() + 1) - 1;
      FreeObjects.Nearest nearest =
          objects.nearest(record.firstTask(), record.lastTask(), excluded);
      assertThat(nearest).isEqualTo(nearest(model, record, excluded));
      if (nearest.object() < 0) {
        assertThat(objects.add()).isEqualTo(model.size());
        model.add(new ArrayList<>());
      }
      int object = nearest.object() < 0 ? model.size() - 1 : nearest.object();
      objects.assign(object, i);
      model.get(object).add(record);
    }
  }

  private static FreeObjects.Nearest nearest(
      List<List<TensorUsageRecord>> model, TensorUsageRecord record, int excluded) {
    FreeObjects.Nearest best = new FreeObjects.Nearest(-1, FreeObjects.FAR);
    for (int object = 0; object < model.size(); object++) {
      List<TensorUsageRecord> others = model.get(object);
      if (object != excluded && others.stream().noneMatch(r -> NaivePlanners.conflict(r, record))) {
        long distance =
            others.stream()
                .mapToLong(r ->
                    Math.max(record.firstTask() - r.lastTask(), r.firstTask() - record.lastTask()))
                .min()
                .orElseThrow();
        if (distance < best.distance()) {
          best = new FreeObjects.Nearest(object, distance);
        }
      }
    }
    return best;
  }
}
