"""Makes a program's kernel a template, and instantiates it.

What a loop does then depends on the arguments: arguments.py has what they may decide.
The arguments are the kernel's own, members of a policy class, or those of a trait; the
file shows the instantiations by a launch description, an explicit instantiation, a
launch, a launch in a helper template, or by the kernel's address. Of an illegal program
one instantiation is illegal, and the text says nothing about that."""
import re

from arguments import FEATURES, value_type

WAYS = ["explicit", "launch", "helper", "address"]


def substitute(text, words):
    """`words`: what stands for a word, or a function of what follows it."""
    def replaced(found):
        what = words[found.group(0)]
        return what(found.string[found.end():]) if callable(what) else what
    if not words:
        return text
    pattern = r"(?<![\w.:])(?:%s)\b" % "|".join(map(re.escape, words))
    return re.sub(pattern, replaced, text)


def plain_const(text):
    """`const const int` of an argument that is const already."""
    return re.sub(r"\bconst ((?:volatile )?)const\b", r"const \1", text).replace(
        "const volatile volatile", "const volatile")


class Templates:
    def __init__(self, program):
        self.program, self.kernel = program, program.kernel
        self.dice, self.loop = program.dice, program.loops[0]
        self.taken = set()         # sources that a feature has made its own
        self.parameters = []
        self.instances = []        # {parameter: argument}
        self.bad = None            # the illegal one
        self.unseen = []           # illegal ones that the file does not show
        self.file = False          # descriptions are in a file of their own

    # --- what depends on arguments ------------------------------------------------

    def _choose(self):
        """Several features; the order is that of the parameters."""
        left = list(FEATURES)
        self.dice.random.shuffle(left)
        wanted = self.dice.pick([1, 1, 2, 2, 3])
        for function in left:
            if len(self.parameters) == wanted:
                break
            parameter = function(self)
            if parameter:
                parameter.origin = function.__name__
                self.parameters.append(parameter)
                self.dice.note("argument", function.__name__)
        value = value_type(self) if self.dice.chance(0.5) else None
        if value:
            value.origin = "value_type"
            self.parameters.insert(0, value)
            self.dice.note("argument", "value_type")

    def _good(self, first):
        chosen = {}
        for p in self.parameters:
            chosen[p.name] = p.good[0] if first else self.dice.pick(p.good)
        return chosen

    def _same(self, instance):
        return any(self.values(instance) == self.values(i) for i in self.instances)

    def _settle(self, illegal):
        """The instantiations; gives back the label."""
        dice, label = self.dice, "legal"
        self.instances = [self._good(dice.chance(0.5))]
        for _ in range(dice.pick([0, 0, 0, 1, 1, 2])):
            other = self._good(False)
            if not self._same(other):
                self.instances.append(other)
        if any(p.restrained for p in self.parameters):
            label = "either:PL2003|PL2009|PL4001|PL4003"
        if illegal:
            spoiled = dice.pick([p for p in self.parameters if p.bad])
            argument, label = dice.pick(spoiled.bad)
            self.bad = dict(self._good(False))
            self.bad[spoiled.name] = argument
            if dice.chance(0.5):
                self.instances = []
            self.instances.append(self.bad)
            dice.random.shuffle(self.instances)
            dice.note("hazard", "argument-" + spoiled.origin)
        elif len(self.program.loops) == 1 and dice.chance(0.15):
            label = self._hide()
        for p in self.parameters:
            if len({i[p.name] for i in self.instances}) == 1 and not p.word and \
                    dice.chance(0.25) and len(self.parameters) > 1:
                p.exposed = False
        if not any(p.exposed for p in self.parameters) and not self._sizes():
            self.parameters[0].exposed = True
        return label

    def _hide(self):
        """No instantiation in sight: the text has to ask for what it relies on."""
        self.instances, self.file = [self._good(True)], True
        for p in self.parameters:
            if p.bad and p.origin != "spare":
                other = self._good(True)
                other[p.name] = self.dice.pick(p.bad)[0]
                self.unseen.append(len(self.instances))
                self.instances.append(other)
        self.dice.note("sight", "none")
        return "either:PL6004"

    def _arrange(self, label):
        """How the arguments get there, and where the instantiations are seen."""
        dice, names = self.dice, self.kernel.top_names
        self.carrier = dice.feature("carrier", {"direct": 5, "policy": 3, "traits": 2})
        self.sizes_inside = self.carrier != "direct" and dice.chance(0.5)
        self.aliases = self.carrier != "direct" and dice.chance(0.4)
        self.carrier_name = names.fresh(["Policy", "Config", "Cfg"])
        self.stems = [names.fresh(["Small", "Fast", "Wide", "Setup"])
                      for _ in self.instances]
        self.traits = names.fresh(["Traits", "traits_of"])
        self.ways = []
        hidden, self.file = self.file, self.file or dice.chance(0.4)
        for _ in self.instances:
            ways = [w for w in WAYS if dice.chance(0.35)]
            self.ways.append(ways or [dice.pick(WAYS)])
        if hidden or (label == "legal" and not self.file and dice.chance(0.3)):
            self.ways = [[] for _ in self.instances]
        for ways in self.ways:
            for way in ways:
                dice.note("sight", way)
        dice.note("sight", "file" if self.file else "comment")
        dice.note("instances", len(self.instances))

    def add(self, illegal=False):
        """The program's label; None: nothing of the program can depend on arguments."""
        if illegal and len(self.program.loops) != 1:
            return None
        if self.kernel.linkage == "extern-c":
            self.kernel.linkage = "plain"
        self._choose()
        if not self.parameters or illegal and not any(p.bad for p in self.parameters):
            return None
        label = self._settle(illegal)
        self._arrange(label)
        self._lift_helpers()
        self.program.qualify_pointers()
        self.program.templates = self
        return label

    # --- names in the text -----------------------------------------------------------

    def _sizes(self):
        return self.kernel.sizes if self.kernel.size_style == "template" else {}

    def _words(self):
        return {p.word: p.name for p in self.parameters if p.word}

    def _lift_helpers(self):
        """Helpers of a kernel whose element type is a parameter are templates too."""
        self.lifted = {}
        for word, name in self._words().items():
            for helper in self.kernel.helpers:
                if not any(re.search(r"\b%s\b" % word, line) for line in helper):
                    continue
                head = next(n for n, line in enumerate(helper) if "(" in line)
                function = re.search(r"(\w+)\(", helper[head]).group(1)
                helper[:] = [substitute(line, self._words()) for line in helper]
                if head and helper[0].startswith("template <"):
                    helper[0] = helper[0].replace("<", "<class %s, " % name, 1)
                else:
                    helper.insert(0, "template <class %s>" % name)
                self.lifted[function] = name

    def _calls(self, line):
        for function, name in self.lifted.items():
            line = re.sub(r"\b%s<" % function, "%s<%s, " % (function, name), line)
            line = re.sub(r"\b%s\(" % function, "%s<%s>(" % (function, name), line)
        return line

    def _path(self, name, is_type):
        carrier = self.carrier_name
        if self.carrier == "traits":
            carrier = "%s<%s>" % (self.traits, carrier)
        path = "%s::%s" % (carrier, name)
        if not is_type:
            return path
        return lambda rest: path if rest.startswith("::") else "typename " + path

    def _inside(self):
        """Parameters and sizes that are members of a class: name, is it a type?"""
        if self.carrier == "direct":
            return []
        found = [(p.name, p.kind == "class") for p in self.parameters if p.exposed]
        return found + [(s, False) for s in self._sizes() if self.sizes_inside]

    def _paths(self):
        return {name: self._path(name, is_type) for name, is_type in self._inside()}

    def _literals(self):
        return {p.name: self._argument(p, self.instances[0])
                for p in self.parameters if not p.exposed}

    def _argument(self, parameter, instance):
        """Its other arguments speak of the element type that the instance has."""
        if parameter.word:
            return instance[parameter.name]
        words = {p.word: instance[p.name] for p in self.parameters if p.word}
        return plain_const(substitute(instance[parameter.name], words))

    def signature(self, line):
        line = substitute(line, self._words())
        line = substitute(line, self._literals())
        return plain_const(substitute(line, self._paths()))

    def body(self, lines):
        lines = [self._calls(substitute(line, self._words())) for line in lines]
        lines = [substitute(line, self._literals()) for line in lines]
        if not self.aliases:
            return [substitute(line, self._paths()) for line in lines]
        used = set(re.findall(r"\w+", " ".join(lines)))
        head = []
        for name, is_type in self._inside():
            path = self._path(name, is_type)
            path = path("") if is_type else path
            if name in used:
                head.append("%s %s = %s;" % ("using" if is_type else "constexpr int",
                                             name, path))
        return head + lines

    # --- the template and its arguments ------------------------------------------------

    def _own(self):
        """Parameters of the kernel itself: declaration and name."""
        own = []
        if self.carrier == "direct":
            own = [("%s %s" % (p.kind, p.name), p.name) for p in self.parameters
                   if p.exposed]
        else:
            own = [("class " + self.carrier_name, self.carrier_name)]
        if not self.sizes_inside:
            own += [("int " + s, s) for s in self._sizes()]
        return own

    def header(self):
        return ["template <%s>" % ", ".join(d for d, _ in self._own())]

    def passed(self):
        return "<%s>" % ", ".join(n for _, n in self._own())

    def values(self, instance):
        """The arguments of an instantiation."""
        return tuple(self._argument(p, instance) for p in self.parameters)

    def arguments(self, number):
        found = []
        if self.carrier == "direct":
            found = [self._argument(p, self.instances[number])
                     for p in self.parameters if p.exposed]
        else:
            found = [self.stems[number]]
        if not self.sizes_inside:
            found += [str(v) for v in self._sizes().values()]
        return "<%s>" % ", ".join(found)

    def _members(self, number):
        lines = []
        for p in self.parameters:
            if p.exposed:
                value = self._argument(p, self.instances[number])
                lines.append("using %s = %s;" % (p.name, value) if p.kind == "class"
                             else "static constexpr int %s = %s;" % (p.name, value))
        if self.sizes_inside:
            lines += ["static constexpr int %s = %d;" % item
                      for item in self._sizes().items()]
        return lines

    def tops(self):
        """Functors, policies and traits, ahead of the kernel."""
        lines = []
        for top in self.kernel.tops:
            lines += top + [""]
        if self.carrier == "traits":
            lines += ["template <class Tag>", "struct %s;" % self.traits, ""]
        for number, stem in enumerate(self.stems):
            if self.carrier == "policy":
                lines += ["struct %s {" % stem] + self._members(number) + ["};", ""]
            elif self.carrier == "traits":
                lines += ["struct %s {};" % stem, "template <>", "struct %s<%s> {" % (
                    self.traits, stem)] + self._members(number) + ["};", ""]
        return lines

    # --- where they are seen -------------------------------------------------------------

    def described(self):
        """The instantiations that run: legal ones."""
        return [n for n, i in enumerate(self.instances) if n not in self.unseen and
                (i is not self.bad or len(self.instances) == 1)][:2]

    def others(self):
        """Instantiations that another file may have, one a line."""
        lines = []
        for number in self.unseen:
            line = " ".join(self._explicit(number))
            if self.kernel.linkage == "namespace":
                line = "namespace %s { %s }" % (self.program.namespace(), line)
            lines.append(line)
        return lines

    def _concrete(self, number):
        """Parameters, with the types of an instantiation."""
        words = {p.word: p.name for p in self.parameters if p.word}
        values = {p.name: self._argument(p, self.instances[number])
                  for p in self.parameters}
        return [plain_const(substitute(substitute(p.declaration(), words), values))
                for p in self.kernel.parameters]

    def host(self):
        lines = []
        for number, ways in enumerate(self.ways):
            for way in ways:
                lines += [""] + getattr(self, "_" + way)(number)
        return lines

    def _call(self, arguments):
        kernel, program = self.kernel, self.program
        extra = ", %d" % kernel.dynamic_bytes() if kernel.dynamic_bytes() else ""
        return "%s%s<<<dim3(%s), dim3(%s)%s>>>(%s);" % (
            kernel.name, arguments, ", ".join(program._grid()),
            ", ".join(str(b) for b in kernel.block), extra,
            ", ".join(p.name for p in kernel.parameters))

    def _explicit(self, number):
        return ["template __global__ void %s%s(%s);" % (
            self.kernel.name, self.arguments(number),
            ", ".join(self._concrete(number)))]

    def _launch(self, number):
        return ["void launch_%s_%d(%s) {" % (self.kernel.name, number, ", ".join(
            self._concrete(number))), self._call(self.arguments(number)), "}"]

    def _helper(self, number):
        name = "run_%s_%d" % (self.kernel.name, number)
        parameters = [self.signature(p.declaration()) for p in self.kernel.parameters]
        return self.header() + ["void %s(%s) {" % (name, ", ".join(parameters)),
                                self._call(self.passed()), "}", "",
                                "void go_%s_%d(%s) {" % (self.kernel.name, number,
                                                        ", ".join(self._concrete(number))),
                                "%s%s(%s);" % (name, self.arguments(number), ", ".join(
                                    p.name for p in self.kernel.parameters)), "}"]

    def _address(self, number):
        return ["const void *pick_%s_%d() {" % (self.kernel.name, number),
                "auto chosen = %s%s;" % (self.kernel.name, self.arguments(number)),
                "return (const void *)chosen;", "}"]
