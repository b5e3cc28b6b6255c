/* model_values.c - types under an instantiation.
 *
 * Needs a function's template arguments. Gives what a type is under them, and
 * its size. Raises nothing. Constant expressions: const_eval.c. */
#include "model.h"

#include <string.h>

/* The template argument that the template parameter `name` of `func` stands
 * for, NULL where there is none. */
static const struct pl_template_arg *
argument_named(const pl_func *func, const pl_instance *instance, pl_str name) {
  if (!func || !instance)
    return NULL;
  for (uint32_t i = 0; i < func->ntemplate_params; i++)
    if (i < instance->nargs && pl_str_eq(func->template_params[i]->name, name))
      return &instance->args[i];
  return NULL;
}

/* Clang's canonical name of a parameter, "type-parameter-0-INDEX". */
static const struct pl_template_arg *
argument_canonical(const pl_instance *instance, pl_str spelling) {
  static const char prefix[] = "type-parameter-0-";
  uint32_t index = 0;
  if (!instance || !pl_str_starts(spelling, prefix) ||
      spelling.n == sizeof prefix - 1 || spelling.n > sizeof prefix + 4)
    return NULL;
  for (size_t i = sizeof prefix - 1; i < spelling.n; i++) {
    if (spelling.p[i] < '0' || spelling.p[i] > '9')
      return NULL;
    index = index * 10 + (uint32_t)(spelling.p[i] - '0');
  }
  return index < instance->nargs ? &instance->args[index] : NULL;
}

/* What a type that hangs on the template becomes, by its canonical name. */
static const pl_type *type_by_spelling(const pl_instance *instance,
                                       pl_str spelling) {
  for (size_t i = 0; instance && i < instance->ntypes; i++)
    if (pl_str_eq(instance->types[i].spelling, spelling))
      return instance->types[i].type;
  return NULL;
}

/* Whether a type of one instantiation's tree is asked for in another one. */
static bool is_of_another(const pl_type *type, const pl_func *func,
                          const pl_instance *instance) {
  return type->in_text && func && func->pattern && instance &&
         instance->index != func->own;
}

const pl_type *pl_type_settled(const pl_type *type, const pl_func *func,
                               const pl_instance *instance) {
  if (type && is_of_another(type, func, instance)) {
    type = type->in_text;
    if (type->kind == PL_TYPE_RECORD)
      return type_by_spelling(instance, type->spelling);
  }
  if (!type || type->kind != PL_TYPE_DEPENDENT)
    return type;
  const struct pl_template_arg *arg =
      argument_canonical(instance, type->spelling);
  if (!arg)
    arg = argument_named(func, instance, type->written);
  if (arg)
    return arg->is_value ? NULL : arg->type;
  return type_by_spelling(instance, type->spelling);
}

const pl_type *pl_decl_type(const pl_decl *decl, const pl_instance *instance) {
  uint32_t at = decl->name_range.begin;
  for (size_t i = 0; instance && decl->name_range.end && i < instance->nfacts;
       i++)
    if (instance->facts[i].type && instance->facts[i].at.begin == at &&
        instance->facts[i].at.end == at)
      return instance->facts[i].type;
  return decl->type;
}

int64_t pl_type_size(const pl_type *type, const pl_func *func,
                     const pl_instance *instance) {
  type = pl_type_settled(type, func, instance);
  if (!type)
    return -1;
  if (type->size >= 0)
    return type->size;
  if (type->kind == PL_TYPE_ARRAY && type->count >= 0) {
    int64_t each = pl_type_size(type->element, func, instance), size;
    return each < 0 || __builtin_mul_overflow(each, type->count, &size) ? -1
                                                                        : size;
  }
  return -1;
}

uint32_t pl_count_readings(const pl_func *func) {
  return func->ninstances ? func->ninstances : 1;
}

const pl_instance *pl_reading(const pl_func *func, uint32_t i) {
  return func->ninstances ? &func->instances[i] : NULL;
}

const pl_instance *pl_own_instance(const pl_func *func) {
  return func->pattern && func->own < func->ninstances ? &func->instances[func->own]
                                                       : NULL;
}

int64_t pl_largest_size(const pl_type *type, const pl_func *func) {
  int64_t most = -1;
  for (uint32_t i = 0; type && i < pl_count_readings(func); i++) {
    int64_t size = pl_type_size(type, func, pl_reading(func, i));
    most = size > most ? size : most;
  }
  return most;
}
