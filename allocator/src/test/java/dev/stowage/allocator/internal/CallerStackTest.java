package dev.stowage.allocator.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class CallerStackTest {

  @Test
  void frames_calledByATest_beginOutsideOfTheAllocatorAndTheJdk() {
    assertThat(new CallerStack().frames().getFirst().getClassName()).startsWith("org.junit.");
  }

  @Test
  void frames_calledByTheJdkAlone_areThose() throws Exception {
    FutureTask<CallerStack> task = new FutureTask<>(CallerStack::new);
    Thread.ofPlatform().start(task).join();
    assertThat(task.get().frames().getFirst().getClassName())
        .isEqualTo("java.util.concurrent.FutureTask");
  }
}
