package dev.stowage.plan.cases;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The reference algorithms in their simplest form. They take quadratic time or more, share no code
 * with the strategies, and follow the reference programs step by step.
 */
public final class NaivePlanners {

  private NaivePlanners() {}

  /** The ids of the records' objects, and the sizes of the objects. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Objects(int[] ids, List<Long> bytes) {

    public ObjectsAssignment toAssignment() {
      return ObjectsAssignment.of(ids, bytes.stream().mapToLong(Long::longValue).toArray());
    }

    public long total() {
      return bytes.stream().mapToLong(Long::longValue).sum();
    }
  }

  public static boolean conflict(TensorUsageRecord a, TensorUsageRecord b) {
    return a.firstTask() <= b.lastTask() && b.firstTask() <= a.lastTask();
  }

  public static long lastTask(List<TensorUsageRecord> records) {
    return records.stream().mapToLong(TensorUsageRecord::lastTask).max().orElse(-1);
  }

  /** {@return the indices of the records live at a task, by descending size, then index} */
  public static List<Integer> profile(List<TensorUsageRecord> records, long task) {
    List<Integer> live = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      if (records.get(i).firstTask() <= task && task <= records.get(i).lastTask()) {
        live.add(i);
      }
    }
    live.sort(Comparator.comparingLong(i -> -records.get(i).bytes()));
    return live;
  }

  /** {@return the number of bytes live at a task} */
  public static long breadth(List<TensorUsageRecord> records, long task) {
    return profile(records, task).stream().mapToLong(i -> records.get(i).bytes()).sum();
  }

  /** {@return for every k, the maximum over all tasks of the k-th largest size} */
  public static List<Long> positionalMaximums(List<TensorUsageRecord> records) {
    List<Long> maximums = new ArrayList<>();
    for (long task = 0; task <= lastTask(records); task++) {
      List<Integer> profile = profile(records, task);
      for (int k = 0; k < profile.size(); k++) {
        long bytes = records.get(profile.get(k)).bytes();
        if (k == maximums.size()) {
          maximums.add(bytes);
        } else {
          maximums.set(k, Math.max(maximums.get(k), bytes));
        }
      }
    }
    return maximums;
  }

  /** Reuses the free object of the same size that was released last. */
  public static Objects equality(List<TensorUsageRecord> records) {
    return inOrder(
        records,
        (pool, bytes, i, objects) -> {
          for (int k = pool.size() - 1; k >= 0; k--) {
            if (objects.bytes.get(pool.get(k)) == bytes) {
              return k;
            }
          }
          return -1;
        });
  }

  /** Reuses the free object closest in size. */
  public static Objects greedyInOrder(List<TensorUsageRecord> records) {
    return inOrder(
        records,
        (pool, bytes, i, objects) -> {
          int best = -1;
          for (int k = 0; k < pool.size(); k++) {
            if (best < 0 || isCloser(objects, pool.get(k), pool.get(best), bytes)) {
              best = k;
            }
          }
          return best;
        });
  }

  private static boolean isCloser(Objects objects, int a, int b, long bytes) {
    long sizeA = objects.bytes.get(a);
    long sizeB = objects.bytes.get(b);
    if (Math.abs(sizeA - bytes) != Math.abs(sizeB - bytes)) {
      return Math.abs(sizeA - bytes) < Math.abs(sizeB - bytes);
    }
    if (sizeA != sizeB) {
      return sizeA > sizeB;
    }
    return sizeA >= bytes ? a < b : a > b;
  }

  /** Reuses the free object closest in size whose last record the reallocation graph permits. */
  public static Objects greedyInOrder(
      List<TensorUsageRecord> records, List<List<Integer>> reallocation) {
    List<Integer> lastRecord = new ArrayList<>();
    return inOrder(
        records,
        (pool, bytes, i, objects) -> {
          while (lastRecord.size() < objects.bytes.size()) {
            lastRecord.add(-1);
          }
          for (int r = 0; r < i; r++) {
            lastRecord.set(objects.ids[r], r);
          }
          List<Integer> ascending = new ArrayList<>(pool);
          ascending.sort(
              Comparator.<Integer>comparingLong(o -> objects.bytes.get(o))
                  .thenComparingInt(o -> o));
          int best = -1;
          for (int object : ascending) {
            long distance = Math.abs(objects.bytes.get(object) - bytes);
            if ((best < 0 || distance < Math.abs(objects.bytes.get(best) - bytes))
                && reallocation.get(lastRecord.get(object)).contains(i)) {
              best = object;
            }
          }
          return pool.indexOf(best);
        });
  }

  /** Selects an index into the pool of free objects; -1 for a new object. */
  interface Chooser {
    int choose(List<Integer> pool, long bytes, int record, Objects objects);
  }

  /** Assigns records, which must be sorted by first task, with a pool of free objects. */
  private static Objects inOrder(List<TensorUsageRecord> records, Chooser chooser) {
    Objects objects = new Objects(new int[records.size()], new ArrayList<>());
    List<Integer> pool = new ArrayList<>();
    List<long[]> inUse = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      TensorUsageRecord record = records.get(i);
      inUse.sort(Comparator.<long[]>comparingLong(u -> u[0]).thenComparingLong(u -> u[1]));
      while (!inUse.isEmpty() && inUse.getFirst()[0] < record.firstTask()) {
        pool.add((int) inUse.removeFirst()[1]);
      }
      int chosen = chooser.choose(pool, record.bytes(), i, objects);
      if (chosen < 0) {
        objects.ids[i] = objects.bytes.size();
        objects.bytes.add(record.bytes());
      } else {
        objects.ids[i] = pool.remove(/* index */ chosen);
        long grown = Math.max(objects.bytes.get(objects.ids[i]), record.bytes());
        objects.bytes.set(objects.ids[i], grown);
      }
      inUse.add(new long[] {record.lastTask(), objects.ids[i]});
    }
    return objects;
  }

  /** Assigns the records of one task after the other, by descending breadth. */
  public static Objects greedyByBreadth(List<TensorUsageRecord> records) {
    Objects objects = new Objects(new int[records.size()], new ArrayList<>());
    Arrays.fill(objects.ids, -1);
    List<Long> tasks = new ArrayList<>();
    for (long task = 0; task <= lastTask(records); task++) {
      tasks.add(task);
    }
    tasks.sort(Comparator.comparingLong(task -> -breadth(records, task)));
    for (long task : tasks) {
      for (int i : profile(records, task)) {
        if (objects.ids[i] < 0) {
          long bytes = records.get(i).bytes();
          int best = bestByBreadth(records, objects, i);
          if (best < 0) {
            best = objects.bytes.size();
            objects.bytes.add(bytes);
          }
          objects.bytes.set(best, Math.max(objects.bytes.get(best), bytes));
          objects.ids[i] = best;
        }
      }
    }
    return objects;
  }

  private static int bestByBreadth(List<TensorUsageRecord> records, Objects objects, int i) {
    long wanted = records.get(i).bytes();
    int best = -1;
    for (int o = 0; o < objects.bytes.size(); o++) {
      long candidate = objects.bytes.get(o);
      if (best >= 0) {
        long bestBytes = objects.bytes.get(best);
        boolean skip =
            bestBytes < wanted
                ? candidate <= bestBytes
                : candidate < wanted || candidate >= bestBytes;
        if (skip) {
          continue;
        }
      }
      if (isFree(records, objects, o, i)) {
        best = o;
      }
    }
    return best;
  }

  private static boolean isFree(
      List<TensorUsageRecord> records, Objects objects, int object, int record) {
    for (int j = 0; j < records.size(); j++) {
      if (objects.ids[j] == object && conflict(records.get(j), records.get(record))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Uses a matrix of the distances of all records to all objects, as the reference program does.
   */
  public static Objects greedyBySize(List<TensorUsageRecord> records) {
    int n = records.size();
    List<Long> maximums = positionalMaximums(records);
    Objects objects = new Objects(new int[n], new ArrayList<>());
    boolean[] assigned = new boolean[n];
    long none = Long.MAX_VALUE;
    List<List<Long>> distances = new ArrayList<>();
    long[] best = new long[n];
    int[] bestObject = new int[n];
    int[] position = new int[n];
    for (int i = 0; i < n; i++) {
      distances.add(new ArrayList<>());
      best[i] = none;
      bestObject[i] = -1;
      while (position[i] < maximums.size() && maximums.get(position[i]) >= records.get(i).bytes()) {
        position[i]++;
      }
    }
    for (int step = 0; step < n; step++) {
      int next = -1;
      for (int i = 0; i < n; i++) {
        if (!assigned[i] && (next < 0 || before(position, best, records, i, next))) {
          next = i;
        }
      }
      assigned[next] = true;
      boolean isNew = best[next] == none;
      int object = isNew ? objects.bytes.size() : bestObject[next];
      long bytes = records.get(next).bytes();
      if (isNew) {
        objects.bytes.add(bytes);
      } else {
        objects.bytes.set(object, Math.max(objects.bytes.get(object), bytes));
      }
      objects.ids[next] = object;
      for (int j = 0; j < n; j++) {
        if (assigned[j] || (!isNew && distances.get(j).get(object) == none)) {
          continue;
        }
        long distance = distance(records.get(next), records.get(j));
        if (isNew) {
          distances.get(j).add(distance);
        } else if (distance == none) {
          distances.get(j).set(object, none);
          if (bestObject[j] == object) {
            best[j] = none;
            for (int o = 0; o < distances.get(j).size(); o++) {
              if (distances.get(j).get(o) < best[j]) {
                best[j] = distances.get(j).get(o);
                bestObject[j] = o;
              }
            }
          }
        } else {
          distances.get(j).set(object, Math.min(distances.get(j).get(object), distance));
        }
        if (distance < best[j]) {
          best[j] = distance;
          bestObject[j] = object;
        }
      }
    }
    return objects;
  }

  private static boolean before(
      int[] position, long[] best, List<TensorUsageRecord> records, int i, int j) {
    if (position[i] != position[j]) {
      return position[i] < position[j];
    }
    if (best[i] != best[j]) {
      return best[i] < best[j];
    }
    return records.get(i).bytes() > records.get(j).bytes();
  }

  private static long distance(TensorUsageRecord a, TensorUsageRecord b) {
    if (b.lastTask() < a.firstTask()) {
      return a.firstTask() - b.lastTask();
    }
    return a.lastTask() < b.firstTask() ? b.firstTask() - a.lastTask() : Long.MAX_VALUE;
  }

  /** {@return the offsets of best fit by descending size} */
  public static long[] greedyBySizeOffsets(List<TensorUsageRecord> records, long alignment) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      order.add(i);
    }
    order.sort(Comparator.comparingLong(i -> -records.get(i).bytes()));
    long[] offsets = new long[records.size()];
    List<Integer> placed = new ArrayList<>();
    for (int i : order) {
      long bytes = records.get(i).bytes();
      long previous = 0;
      long best = -1;
      long bestGap = Long.MAX_VALUE;
      for (int a : placed) {
        if (conflict(records.get(a), records.get(i))) {
          if (offsets[a] >= previous) {
            long gap = offsets[a] - previous;
            if (gap >= bytes && gap < bestGap) {
              bestGap = gap;
              best = previous;
            }
          }
          long end = offsets[a] + records.get(a).bytes();
          previous = Math.max(previous, (end + alignment - 1) / alignment * alignment);
        }
      }
      offsets[i] = best >= 0 ? best : previous;
      insertByOffset(placed, offsets, i);
    }
    return offsets;
  }

  /** {@return the offsets of first fit by descending size, after all pinned records} */
  public static long[] tflmGreedy(List<TensorUsageRecord> records) {
    List<Integer> order = new ArrayList<>();
    for (int i = records.size() - 1; i >= 0; i--) {
      if (records.get(i).pinnedOffset().isEmpty()) {
        order.add(i);
      }
    }
    order.sort(Comparator.comparingLong(i -> -records.get(i).bytes()));
    long[] offsets = new long[records.size()];
    List<Integer> placed = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      if (records.get(i).pinnedOffset().isPresent()) {
        offsets[i] = records.get(i).pinnedOffset().getAsLong();
        insertByOffset(placed, offsets, i);
      }
    }
    for (int i : order) {
      long candidate = 0;
      for (int a : placed) {
        if (conflict(records.get(a), records.get(i))) {
          if (offsets[a] - candidate >= records.get(i).bytes()) {
            break;
          }
          candidate = Math.max(candidate, offsets[a] + records.get(a).bytes());
        }
      }
      offsets[i] = candidate;
      insertByOffset(placed, offsets, i);
    }
    return offsets;
  }

  private static void insertByOffset(List<Integer> placed, long[] offsets, int i) {
    int k = placed.size();
    while (k > 0 && offsets[placed.get(k - 1)] > offsets[i]) {
      k--;
    }
    placed.add(k, i);
  }
}
