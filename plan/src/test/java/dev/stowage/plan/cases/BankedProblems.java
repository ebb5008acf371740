package dev.stowage.plan.cases;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.MemoryBank;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Random problems with banks. */
public final class BankedProblems {

  private BankedProblems() {}

  /**
   * {@return a problem of a few records with all features, some of which does not fit}
   *
   * @param problem the records
   * @param seed the seed of the banks
   */
  public static BankedProblem of(PlanProblem problem, long seed) {
    Random random = new Random(seed);
    int bankCount = 1 + random.nextInt(4);
    long load = 0;
    for (TensorUsageRecord record : problem.records()) {
      load = Math.max(load, record.bytes());
    }
    boolean hasAlignments = random.nextBoolean();
    boolean isLastUnlimited = random.nextInt(3) == 0;
    List<MemoryBank> banks = new ArrayList<>();
    for (int bank = 0; bank < bankCount; bank++) {
      MemoryBank made =
          isLastUnlimited && bank == bankCount - 1
              ? MemoryBank.unlimited("bank" + bank)
              : MemoryBank.of("bank" + bank, 1 + random.nextLong(1 + 3 * load));
      banks.add(
          made.withAlignment(hasAlignments ? 1 + random.nextInt(4) : 1)
              .withCost(random.nextInt(4) == 0 ? random.nextInt(4) : 3L * bank));
    }
    return withReadsAndTies(problem, banks, random);
  }

  private static BankedProblem withReadsAndTies(
      PlanProblem problem, List<MemoryBank> banks, Random random) {
    List<Long> reads = new ArrayList<>();
    Map<Integer, String> ties = new HashMap<>();
    boolean hasTies = random.nextInt(3) == 0;
    for (int i = 0; i < problem.records().size(); i++) {
      reads.add((long) random.nextInt(4));
      if (hasTies && random.nextInt(4) == 0) {
        ties.put(i, banks.get(random.nextInt(banks.size())).name());
      }
    }
    return new BankedProblem(problem, banks, reads, ties);
  }

  /**
   * {@return a problem of a network: records of one to a few tasks, in a small and a large bank}
   *
   * @param records the number of records
   * @param seed the seed
   */
  public static BankedProblem ofNetwork(int records, long seed) {
    Random random = new Random(seed);
    List<TensorUsageRecord> all = new ArrayList<>();
    List<Long> reads = new ArrayList<>();
    long most = 0;
    for (int i = 0; i < records; i++) {
      long bytes = 16L * (1 + random.nextInt(256));
      int length = random.nextInt(5) == 0 ? 2 + random.nextInt(20) : 1;
      all.add(TensorUsageRecord.of(bytes, i, i + length));
      reads.add(1L + random.nextInt(length));
      most = Math.max(most, bytes);
    }
    List<MemoryBank> banks =
        List.of(
            MemoryBank.of("sram", most + random.nextLong(2 * most)).withAlignment(16),
            MemoryBank.unlimited("dram").withCost(10));
    return new BankedProblem(PlanProblem.of(all), banks, reads, Map.of());
  }
}
