package dev.stowage.fleet.job;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.connector.source.lib.util.IteratorSourceEnumerator;
import org.jspecify.annotations.Nullable;

/** The numbers of the batches of a sweep, one for each subtask. */
final class BatchSource extends NumberSequenceSource {

  private static final long serialVersionUID = 1;

  BatchSource(int batchCount) {
    super(0, batchCount - 1);
  }

  @Override
  public SplitEnumerator<NumberSequenceSplit, Collection<NumberSequenceSplit>> createEnumerator(
      SplitEnumeratorContext<NumberSequenceSplit> context) {
    return new OneForEach(
        context, splitNumberRange(getFrom(), getTo(), context.currentParallelism()));
  }

  /**
   * Assigns one split to each subtask, and again to a subtask that has failed.
   *
   * <p>With more splits, a subtask would have more to repeat after a failure.
   */
  private static final class OneForEach extends IteratorSourceEnumerator<NumberSequenceSplit> {

    private final SplitEnumeratorContext<NumberSequenceSplit> context;
    private final Set<Integer> served = new HashSet<>();

    OneForEach(
        SplitEnumeratorContext<NumberSequenceSplit> context, List<NumberSequenceSplit> splits) {
      super(context, splits);
      this.context = context;
    }

    @Override
    public void handleSplitRequest(int subtask, @Nullable String host) {
      if (served.add(subtask)) {
        super.handleSplitRequest(subtask, host);
      } else {
        context.signalNoMoreSplits(subtask);
      }
    }

    @Override
    public void addSplitsBack(List<NumberSequenceSplit> splits, int subtask) {
      super.addSplitsBack(splits, subtask);
      served.remove(subtask);
    }
  }
}
