package dev.stowage.examples.training;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The computation of one element, in OpenCL C and in Java. */
enum Kernel {

  /*
   * Both sources have the same operations on floats in the same order, and both languages round sums
   * and products in the same way, so that results are equal bit for bit. There are no divisions,
   * because OpenCL may round quotients differently. The pragma disables fused operations.
   */

  /** y = x w + bias; an item is an element of y. */
  AFFINE(
      """
      kernel void affine(int rows, int inputs, int outputs, float factor, global const float *x,
                         global const float *w, global const float *bias, global float *y) {
        int i = get_global_id(0), row = i / outputs, column = i % outputs;
        float sum = bias[column];
        for (int k = 0; k < inputs; k++)
          sum += x[row * inputs + k] * w[k * outputs + column];
        y[i] = sum;
      }
      """) {
    @Override
    void compute(int item, Scalars scalars, List<Floats> memory) {
      Floats x = memory.get(0);
      Floats w = memory.get(1);
      int row = item / scalars.outputs();
      int column = item % scalars.outputs();
      float sum = memory.get(2).get(column);
      for (int k = 0; k < scalars.inputs(); k++) {
        sum += x.get(row * scalars.inputs() + k) * w.get(k * scalars.outputs() + column);
      }
      memory.get(3).set(item, sum);
    }
  },

  /** y = max(y, 0), in place; an item is an element. */
  RELU(
      """
      kernel void relu(int rows, int inputs, int outputs, float factor, global float *y) {
        int i = get_global_id(0);
        y[i] = y[i] > 0 ? y[i] : 0;
      }
      """) {
    @Override
    void compute(int item, Scalars scalars, List<Floats> memory) {
      Floats y = memory.getFirst();
      y.set(item, y.get(item) > 0 ? y.get(item) : 0);
    }
  },

  /** The mean of the squared errors; the one item is the sum over all, factor is 1 / count. */
  LOSS(
      """
      kernel void loss(int rows, int inputs, int outputs, float factor, global const float *y,
                       global const float *target, global float *mean) {
        float sum = 0;
        for (int i = 0; i < rows * outputs; i++) {
          float error = y[i] - target[i];
          sum += error * error;
        }
        mean[0] = sum * factor;
      }
      """) {
    @Override
    void compute(int item, Scalars scalars, List<Floats> memory) {
      float sum = 0;
      for (int i = 0; i < scalars.rows() * scalars.outputs(); i++) {
        float error = memory.get(0).get(i) - memory.get(1).get(i);
        sum += error * error;
      }
      memory.get(2).set(0, sum * scalars.factor());
    }
  },

  /** The loss by y: factor (y - target); an item is an element, factor is 2 / count. */
  LOSS_GRADIENT(
      """
      kernel void loss_gradient(int rows, int inputs, int outputs, float factor,
                                global const float *y, global const float *target,
                                global float *dy) {
        int i = get_global_id(0);
        dy[i] = factor * (y[i] - target[i]);
      }
      """) {
    @Override
    void compute(int item, Scalars scalars, List<Floats> memory) {
      memory
          .get(2)
          .set(item, scalars.factor() * (memory.get(0).get(item) - memory.get(1).get(item)));
    }
  },

  /** dw = xᵀ dy; an item is an element of dw. */
  WEIGHT_GRADIENT(
      """
      kernel void weight_gradient(int rows, int inputs, int outputs, float factor,
                                  global const float *x, global const float *dy,
                                  global float *dw) {
        int i = get_global_id(0), k = i / outputs, column = i % outputs;
        float sum = 0;
        for (int row = 0; row < rows; row++)
          sum += x[row * inputs + k] * dy[row * outputs + column];
        dw[i] = sum;
      }
      """) {
    @Override
    void compute(int item, Scalars scalars, List<Floats> memory) {
      int k = item / scalars.outputs();
      int column = item % scalars.outputs();
      float sum = 0;
      for (int row = 0; row < scalars.rows(); row++) {
        float x = memory.get(0).get(row * scalars.inputs() + k);
        sum += x * memory.get(1).get(row * scalars.outputs() + column);
      }
      memory.get(2).set(item, sum);
    }
  },

  /** dbias = the sum of dy's rows; an item is an element of dbias. */
  BIAS_GRADIENT(
      """
      kernel void bias_gradient(int rows, int inputs, int outputs, float factor,
                                global const float *dy, global float *dbias) {
        int column = get_global_id(0);
        float sum = 0;
        for (int row = 0; row < rows; row++)
          sum += dy[row * outputs + column];
        dbias[column] = sum;
      }
      """) {
    @Override
    void compute(int item, Scalars scalars, List<Floats> memory) {
      float sum = 0;
      for (int row = 0; row < scalars.rows(); row++) {
        sum += memory.get(0).get(row * scalars.outputs() + item);
      }
      memory.get(1).set(item, sum);
    }
  },

  /** dx = dy wᵀ; an item is an element of dx. */
  INPUT_GRADIENT(
      """
      kernel void input_gradient(int rows, int inputs, int outputs, float factor,
                                 global const float *dy, global const float *w,
                                 global float *dx) {
        int i = get_global_id(0), row = i / inputs, k = i % inputs;
        float sum = 0;
        for (int column = 0; column < outputs; column++)
          sum += dy[row * outputs + column] * w[k * outputs + column];
        dx[i] = sum;
      }
      """) {
    @Override
    void compute(int item, Scalars scalars, List<Floats> memory) {
      int row = item / scalars.inputs();
      int k = item % scalars.inputs();
      float sum = 0;
      for (int column = 0; column < scalars.outputs(); column++) {
        float dy = memory.get(0).get(row * scalars.outputs() + column);
        sum += dy * memory.get(1).get(k * scalars.outputs() + column);
      }
      memory.get(2).set(item, sum);
    }
  },

  /** dy = 0 where y is 0, in place; an item is an element. */
  RELU_GRADIENT(
      """
      kernel void relu_gradient(int rows, int inputs, int outputs, float factor,
                                global const float *y, global float *dy) {
        int i = get_global_id(0);
        dy[i] = y[i] > 0 ? dy[i] : 0;
      }
      """) {
    @Override
    void compute(int item, Scalars scalars, List<Floats> memory) {
      Floats dy = memory.get(1);
      dy.set(item, memory.get(0).get(item) > 0 ? dy.get(item) : 0);
    }
  },

  /** w = w - factor dw, in place; an item is an element, factor is the learning rate. */
  DESCENT(
      """
      kernel void descent(int rows, int inputs, int outputs, float factor,
                          global const float *dw, global float *w) {
        int i = get_global_id(0);
        w[i] -= factor * dw[i];
      }
      """) {
    @Override
    void compute(int item, Scalars scalars, List<Floats> memory) {
      Floats w = memory.get(1);
      w.set(item, w.get(item) - scalars.factor() * memory.get(0).get(item));
    }
  };

  private final String openCl;

  Kernel(String openCl) {
    this.openCl = openCl;
  }

  /** Computes one element on the host. */
  abstract void compute(int item, Scalars scalars, List<Floats> memory);

  /** {@return the name in OpenCL C} */
  String openClName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** {@return all kernels in OpenCL C} */
  static String openClSource() {
    return Arrays.stream(values())
        .map(kernel -> kernel.openCl)
        .collect(Collectors.joining("\n", "#pragma OPENCL FP_CONTRACT OFF\n", ""));
  }
}
