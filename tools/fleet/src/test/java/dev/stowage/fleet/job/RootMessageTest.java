package dev.stowage.fleet.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import org.junit.jupiter.api.Test;

final class RootMessageTest {

  @Test
  void of_ownFailureInTheChain_isItsMessage() {
    Throwable own = new SweepException("no Java 25", new IllegalStateException("low"));
    Throwable copy = new RuntimeException(SweepException.class.getName() + ": no Java 25");

    assertThat(RootMessage.of(new RuntimeException(own))).isEqualTo("no Java 25");
    assertThat(RootMessage.of(new RuntimeException("outer", copy))).isEqualTo("no Java 25");
  }

  @Test
  void of_otherFailure_isTheLastMessageWithoutItsClass() {
    assertThat(RootMessage.of(new RuntimeException(new ConnectException("Connection refused"))))
        .isEqualTo("Connection refused");
    assertThat(RootMessage.of(new IllegalStateException()))
        .isEqualTo("java.lang.IllegalStateException");
  }

  @Test
  void of_stackTraceAsMessage_isTheLastCause() {
    String trace =
        """
        [org.apache.flink.RestHandlerException: org.apache.flink.JobNotFound: Could not find job (1)
        \tat org.apache.flink.Handler.handle(Handler.java:94)
        Caused by: java.util.concurrent.CompletionException: org.apache.flink.JobNotFound: Could not find job (1)
        \tat org.apache.flink.Dispatcher.status(Dispatcher.java:17)
        \t... 4 more
        ]\
        """;

    assertThat(RootMessage.of(new RuntimeException(trace))).isEqualTo("Could not find job (1)");
  }
}
