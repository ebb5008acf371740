package dev.stowage.trace.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserLineTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "_call_impl at /app/.venv/lib/python3.12/site-packages/torch/nn/modules/module.py:1790",
        "einsum at /usr/lib/python3/dist-packages/einops/einops.py:939",
        "run at /usr/lib/python3.11/threading.py:982",
        "forward at /src/torch/nn/functional.py:5",
        "forward at torch/nn/functional.py:5",
        "forward at C:\\venv\\Lib\\site-packages\\torch\\nn\\functional.py:5",
        "_run_code at <frozen runpy>:88",
        "fn at <eval_with_key>.7:3",
        "at::_ops::mm",
        "void at::native::copy(at::Tensor&) at Copy.cpp:12",
        "c10::cuda::CUDACachingAllocator::malloc(void**) at CUDACachingAllocator.cpp:3",
        "torch::autograd::generated::MmBackward0",
        "_PyEval_EvalFrameDefault",
        "__libc_start_main",
        "accept at java.util.ArrayList:1596",
        "allocate at dev.stowage.allocator.BfcAllocator:120",
        "allocate at dev.stowage.memory.pool.MemoryPool:120"
      })
  void isFramework_frameOfAFramework_isTrue(String frame) {
    assertThat(UserLine.isFramework(frame)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "forward at model.py:12",
        "forward at /home/me/torchlike/model.py:12",
        "train(at::Tensor const&) at train.cpp:9",
        "train(int, at::Tensor const&)",
        "Pyramid at pyramid.py:4",
        "main at com.example.Service:31",
        "at at at.py:1",
        "\u202Eevil\n at x.py:1"
      })
  void isFramework_frameOfAUser_isFalse(String frame) {
    assertThat(UserLine.isFramework(frame)).isFalse();
  }

  @Test
  void of_severalFrames_isTheInnermostOfTheUser() {
    assertThat(UserLine.of(List.of("at::_ops::mm", "f at a.py:1", "g at b.py:2")))
        .hasValue("f at a.py:1");
  }

  @Test
  void of_onlyFrameworkFrames_isTheInnermost() {
    assertThat(UserLine.of(List.of("at::_ops::mm", "at::_ops::add"))).hasValue("at::_ops::mm");
    assertThat(UserLine.of(List.of())).isEmpty();
  }
}
