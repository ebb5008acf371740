package dev.stowage.allocator;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Plain writes and plain reads under the lock: H1, a release store is enough to unlock. */
@JCStressTest
@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "the reader was first")
@Outcome(id = "1, 2, 3", expect = Expect.ACCEPTABLE, desc = "the writer was first")
@Outcome(expect = Expect.FORBIDDEN, desc = "the reader sees only some of the writes")
@State
public class LockVisibility {

  private final ShortLock lock = new ShortLock();
  private int first;
  private int second;
  private int[] third = {0};

  @Actor
  public void writes() {
    try (ShortLock _ = lock.hold()) {
      third = new int[] {3};
      second = 2;
      first = 1;
    }
  }

  @Actor
  public void reads(III_Result r) {
    try (ShortLock _ = lock.hold()) {
      r.r1 = first;
      r.r2 = second;
      r.r3 = third[0];
    }
  }
}
