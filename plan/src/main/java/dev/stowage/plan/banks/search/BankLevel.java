package dev.stowage.plan.banks.search;

import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.time.TaskRanks;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * The cheaper banks of a problem as one store: an upper bound of the cost that it saves, compared
 * with the cheapest of the other banks.
 */
final class BankLevel {

  /*
   * The store has the sum of the capacities of its banks. At each task, it keeps records of at most
   * these bytes, and at least those for which the other banks have no room. Offsets are multiples of
   * the alignments, so that records and capacities count in units of an alignment that all banks of
   * the store have in common: see maxUnits.
   *
   * With any price for a unit of capacity at each rank (a Lagrange multiplier), the savings are at
   * most
   *
   *     sum over ranks    price × capacity, and -price × maxFree where the price is negative
   *   + sum over records  max(0, saving - units × prices of its ranks),
   *
   * where a record that must be in the store counts with a negative value, too, and one that must
   * not be in it counts 0. IntervalFlow finds the best prices. The saving of a record is an exact
   * number here; in the flow, it is rounded for each unit.
   *
   * The following records take no capacity: pinned ones, since they may overlap, and records of no
   * bytes. Of the ranges of a record with gaps, only the largest one counts. A record that may be in
   * place of another takes no capacity at its first task. See CountedRange.
   */

  /** The place of a record. */
  enum Place {
    ANY,
    INSIDE,
    OUTSIDE
  }

  /** Profits in the flow are multiplied by this, so that rounding for each unit matters less. */
  private static final long SCALE = 16;

  /** The factor of the one price of {@link #maxSavingsAtOnePrice}. */
  private static final long PRICE_SCALE = 1 << 12;

  private static final int NO_INTERVAL = -1;

  private final long[] savings;
  private final Place[] places;
  private final long unitBytes;
  private final int[] intervals;
  private final int[] from;
  private final int[] to;
  private final long[] units;
  private final int[] records;
  private final long[] capacity;
  private final long[] maxFree;
  private final IntervalFlow flow;
  private final long forcedProfit;
  private boolean isOverfull;
  private boolean isOptimal = true;

  /**
   * Creates a level.
   *
   * @param problem the records and the banks
   * @param inside the banks of the store
   * @param outside the other banks
   * @param costDifference the difference of the cost for each moved byte
   * @throws ArithmeticException if the prices of the problem are too large
   */
  BankLevel(
      BankedProblem problem,
      List<Integer> inside,
      List<Integer> outside,
      long costDifference,
      StepCounter steps) {
    savings = new long[problem.recordCount()];
    Arrays.setAll(savings, i -> problem.movedBytes(i) * costDifference);
    places = new Place[savings.length];
    Arrays.fill(places, Place.ANY);
    unitBytes = unitBytes(problem, inside, outside);
    CountedRange[] ranges = CountedRange.of(problem.problem());
    int rankCount = TaskRanks.ofLiveRanges(problem.problem()).count();
    intervals = new int[savings.length];
    Arrays.fill(intervals, NO_INTERVAL);
    int count = 0;
    for (int i = 0; i < savings.length; i++) {
      if (!ranges[i].isEmpty()) {
        intervals[i] = count++;
      }
    }
    from = new int[count];
    to = new int[count];
    units = new long[count];
    records = new int[count];
    long[] load = new long[rankCount + 1];
    for (int i = 0; i < savings.length; i++) {
      int k = intervals[i];
      if (k != NO_INTERVAL) {
        records[k] = i;
        from[k] = ranges[i].from();
        to[k] = ranges[i].to();
        units[k] = Alignment.up(ranges[i].bytes(), unitBytes) / unitBytes;
        load[from[k]] += units[k];
        load[to[k]] -= units[k];
      }
    }
    long insideUnits = units(problem, inside);
    long outsideUnits = units(problem, outside);
    capacity = new long[rankCount];
    maxFree = new long[rankCount];
    long live = 0;
    for (int t = 0; t < capacity.length; t++) {
      live += load[t];
      capacity[t] = Math.min(insideUnits, live);
      long leastKept = Math.max(0, live - outsideUnits);
      isOverfull |= leastKept > capacity[t];
      maxFree[t] = Math.max(0, capacity[t] - leastKept);
    }
    long profits = 1;
    for (int k = 0; k < count; k++) {
      profits = Math.addExact(profits, Math.multiplyExact(SCALE, profit(k) / SCALE + 1));
    }
    forcedProfit = profits;
    Math.multiplyExact(profits, 4L * (rankCount + 2)); // potentials do not overflow
    flow = new IntervalFlow(from, to, units, capacity, maxFree, forcedProfit, steps);
    for (int k : IndexOrder.descending(count, this::profit)) {
      if (isOptimal) {
        setProfit(k, profit(k));
      }
    }
  }

  /** {@return the unit in which records and capacities can be counted} */
  private static long unitBytes(
      BankedProblem problem, List<Integer> inside, List<Integer> outside) {
    boolean hasWindows =
        problem.problem().records().stream()
            .anyMatch(record -> record.gaps().stream().anyMatch(gap -> gap.windowEnd() > 0));
    if (hasWindows) {
      return 1; // the bytes around a window may be used by other records
    }
    long unit = 0;
    for (int bank : inside) {
      unit = Alignment.greatestCommonDivisor(problem.alignmentIn(bank), unit);
    }
    for (int bank : outside) {
      if (outside.stream().allMatch(it -> problem.banks().get(it).bytes().isPresent())) {
        unit = Alignment.greatestCommonDivisor(problem.alignmentIn(bank), unit);
      }
    }
    return unit;
  }

  private long units(BankedProblem problem, List<Integer> banks) {
    long sum = 0;
    for (int bank : banks) {
      sum += Math.min(maxUnits(problem, bank, unitBytes), Long.MAX_VALUE / 128);
    }
    return sum;
  }

  /** {@return the saving for each unit of an interval, in the flow} */
  private long profit(int interval) {
    long saving = savings[records[interval]];
    return (long) (SCALE * ((double) saving / units[interval]));
  }

  /** Changes the place of a record. */
  void set(int record, Place place) {
    places[record] = place;
    int interval = intervals[record];
    if (interval != NO_INTERVAL && isOptimal) {
      setProfit(
          interval,
          switch (place) {
            case ANY -> profit(interval);
            case INSIDE -> forcedProfit;
            case OUTSIDE -> -forcedProfit;
          });
    }
  }

  /** Sets a profit; once the flow was stopped, its last prices remain, and the bound is weaker. */
  private void setProfit(int interval, long profit) {
    try {
      flow.setProfit(interval, profit);
    } catch (CancellationException e) {
      isOptimal = false;
    }
  }

  Place place(int record) {
    return places[record];
  }

  /** {@return true if no plan has the records at their places} */
  boolean isInfeasible() {
    if (isOverfull) {
      return true;
    }
    if (!isOptimal) {
      return false;
    }
    for (int k = 0; k < units.length; k++) {
      Place place = places[records[k]];
      if ((place == Place.INSIDE && flow.kept(k) < units[k])
          || (place == Place.OUTSIDE && flow.kept(k) > 0)) {
        return true;
      }
    }
    return flow.hasOverflow();
  }

  /**
   * {@return an upper bound of the savings}
   *
   * @throws ArithmeticException if it is too large
   */
  long maxSavings() {
    long sum = 0;
    for (int t = 0; t < capacity.length; t++) {
      long price = flow.price(t);
      sum = Math.addExact(sum, Math.multiplyExact(price, capacity[t]));
      if (price < 0) {
        sum = Math.addExact(sum, Math.multiplyExact(-price, maxFree[t]));
      }
    }
    for (int i = 0; i < savings.length; i++) {
      if (places[i] != Place.OUTSIDE) {
        long value = value(i);
        sum = Math.addExact(sum, places[i] == Place.INSIDE ? value : Math.max(0, value));
      }
    }
    return Math.floorDiv(sum, SCALE);
  }

  /**
   * {@return an upper bound of the savings if all records may be in all banks; {@link
   * Long#MAX_VALUE} if the numbers are too large}
   *
   * <p>All ranks have the same price, that of the record at which the densest ones fill the store.
   * O(n log n), also after the flow was stopped.
   */
  long maxSavingsAtOnePrice() {
    try {
      long room = 0;
      for (long some : capacity) {
        room = Math.addExact(room, some);
      }
      long price = priceOf(room);
      long sum = Math.multiplyExact(price, room);
      for (int i = 0; i < savings.length; i++) {
        long saving = Math.multiplyExact(PRICE_SCALE, savings[i]);
        int k = intervals[i];
        long paid = k == NO_INTERVAL ? 0 : Math.multiplyExact(price, unitRanks(k));
        sum = Math.addExact(sum, Math.max(0, Math.subtractExact(saving, paid)));
      }
      return Math.floorDiv(sum, PRICE_SCALE);
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE;
    }
  }

  /**
   * {@return the price, times {@link #PRICE_SCALE}, at which records fill the units of all ranks}
   */
  private long priceOf(long room) {
    long left = room;
    for (int k : IndexOrder.descending(units.length, this::density)) {
      left -= unitRanks(k);
      if (left < 0) {
        return density(k);
      }
    }
    return 0;
  }

  private long density(int interval) {
    return (long) (PRICE_SCALE * ((double) savings[records[interval]] / unitRanks(interval)));
  }

  /** {@return the capacity that a record takes, summed over its ranks} */
  private long unitRanks(int interval) {
    return Math.multiplyExact(units[interval], (long) to[interval] - from[interval]);
  }

  /**
   * {@return the saving of a record less the price of its capacity, times {@link #SCALE}; the bound
   * changes by its amount if the record must be on the other side}
   */
  private long value(int record) {
    long saving = Math.multiplyExact(SCALE, savings[record]);
    int interval = intervals[record];
    return interval == NO_INTERVAL
        ? saving
        : Math.subtractExact(
            saving, Math.multiplyExact(units[interval], flow.price(from[interval], to[interval])));
  }

  /** {@return the amount by which the bound of the savings falls if a record must be outside} */
  long lossOutside(int record) {
    return Math.max(0, value(record) / SCALE);
  }

  /** {@return the amount by which the bound of the savings falls if a record must be inside} */
  long lossInside(int record) {
    return Math.max(0, -value(record) / SCALE);
  }

  /** {@return the share of a record that the relaxation keeps inside, from 0 to 1} */
  double share(int record) {
    int interval = intervals[record];
    if (interval == NO_INTERVAL) {
      return places[record] == Place.OUTSIDE ? 0 : 1;
    }
    return (double) flow.kept(interval) / units[interval];
  }

  /**
   * {@return the part of the bound of the savings that comes from the capacity of a rank and all
   * later ones, times {@link #SCALE}}
   */
  long[] capacityValues() {
    long[] values = new long[capacity.length + 1];
    for (int t = capacity.length - 1; t >= 0; t--) {
      long price = flow.price(t);
      values[t] = values[t + 1] + price * capacity[t] + Math.max(0, -price) * maxFree[t];
    }
    return values;
  }

  /**
   * {@return the part of the bound of the savings that comes from a record, times {@link #SCALE}}
   */
  long recordValue(int record) {
    return switch (places[record]) {
      case ANY -> Math.max(0, value(record));
      case INSIDE -> value(record);
      case OUTSIDE -> 0;
    };
  }

  /**
   * {@return the price of the capacity that a record takes from a rank on, times {@link #SCALE}}
   *
   * @param rank one of its ranks
   */
  long heldPrice(int record, int rank) {
    int interval = intervals[record];
    return interval == NO_INTERVAL ? 0 : units[interval] * flow.price(rank, to[interval]);
  }

  /** {@return savings times {@link #SCALE} as savings, rounded down} */
  static long unscaled(long value) {
    return Math.floorDiv(value, SCALE);
  }

  /** Checks the invariants of the flow. */
  void checkInvariants() {
    flow.checkInvariants(capacity);
  }

  /**
   * {@return the largest number of units that the records of a bank can take at one task, if each
   * takes its bytes rounded up to units}
   *
   * <p>All offsets are multiples of the unit, so that only the topmost record may end within its
   * last unit. Its padding may be beyond the capacity.
   *
   * @param unitBytes a divisor of the alignments in the bank
   */
  static long maxUnits(BankedProblem problem, int bank, long unitBytes) {
    if (problem.banks().get(bank).bytes().isEmpty()) {
      return Long.MAX_VALUE;
    }
    long padding = 0;
    for (int i = 0; i < problem.recordCount(); i++) {
      if (problem.mayBeIn(bank, i)) {
        long bytes = problem.problem().records().get(i).bytes();
        padding = Math.max(padding, Alignment.up(bytes, unitBytes) - bytes);
      }
    }
    long bytes = problem.banks().get(bank).bytes().getAsLong();
    return bytes / unitBytes + (bytes % unitBytes + padding) / unitBytes;
  }
}
